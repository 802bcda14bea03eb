import { existsSync, mkdirSync, renameSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { createConnection } from 'mysql2/promise';
import { asRoot, startDaemon } from './daemon.js';
import type { Service } from './service.js';

const roots = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'create-auth-service');
const PROGRAM = '/usr/sbin/mysqld';

/** Debian's unstable, which has the newest MySQL. */
const debianRoot = join(roots, 'debian-sid');
/** Whose signatures the packages of MySQL 8 carry; comes with the first root. */
const ubuntuKeys = join(debianRoot, 'usr/share/keyrings/ubuntu-archive-keyring.gpg');

/** MySQL itself, the newest; tests of emitted services find MariaDB by themselves. */
export const mysql = mysqlOf({
  name: 'MySQL',
  port: 3307,
  root: debianRoot,
  files: [PROGRAM, '/usr/share/keyrings/ubuntu-archive-keyring.gpg'],
  async make(folder) {
    const packages = '--include=mysql-server-core,ubuntu-archive-keyring';
    await debootstrap([packages, 'sid', folder, await debianMirror()]);
  },
});

/** The oldest MySQL that services support, from Ubuntu's. */
export const mysql8 = mysqlOf({
  name: 'MySQL 8',
  port: 3308,
  root: join(roots, 'ubuntu-jammy'),
  files: [PROGRAM],
  async make(folder) {
    await mysql.prepare();
    await debootstrap([
      '--include=mysql-server-core-8.0',
      `--keyring=${ubuntuKeys}`,
      'jammy',
      folder,
    ]);
  },
});

/** A MySQL whose packages a stable Debian cannot take: they get a root of their own. */
interface RootedMysql {
  name: string;
  port: number;
  root: string;
  /** What is in a root that is whole. */
  files: string[];
  /** Makes the root in a folder. */
  make(folder: string): Promise<void>;
}

function mysqlOf({ name, port, root, files, make }: RootedMysql) {
  const url = `mysql://root@127.0.0.1:${port}`;
  return {
    name,
    package: 'debootstrap',
    unit: 'mysql',
    port,
    parentFolder: join(root, 'tmp'),
    /** What emitted tests are given as TEST_DATABASE_URL to run on it. */
    url,

    isInstalled: () => existsSync('/usr/sbin/debootstrap'),

    async prepare() {
      if (files.every((file) => existsSync(join(root, file)))) return;
      const unfinished = `${root}-${process.pid}`;
      mkdirSync(unfinished, { recursive: true });
      await make(unfinished);
      // One of before may lack a file; it is put aside, since a server may run in it.
      if (existsSync(root)) renameSync(root, `${unfinished}-before`);
      renameSync(unfinished, root);
    },

    async check(onPort: number) {
      const connection = await createConnection({ uri: url, port: onPort });
      await connection.end();
    },

    async start(folder: string, onPort: number) {
      const inside = folder.slice(root.length);
      const program = asRoot(['chroot', root, PROGRAM, '--no-defaults', '--user=nobody']);
      const data = `--datadir=${inside}/data`;
      await inherited(asRoot(['chroot', root, 'chown', 'nobody', inside]));
      await inherited([...program, data, '--initialize-insecure']);
      const settings = [
        '--bind-address=127.0.0.1',
        `--port=${onPort}`,
        `--socket=${inside}/socket`,
        `--pid-file=${inside}/pid`,
        '--mysqlx=OFF',
        '--secure-file-priv=NULL',
        '--max-connections=200',
        // Data of tests may be lost.
        '--innodb-flush-log-at-trx-commit=0',
        '--skip-log-bin',
      ];
      startDaemon(folder, [...program, data, ...settings]);
    },
  } satisfies Service & { url: string };
}

function debootstrap(args: string[]) {
  return inherited(asRoot(['debootstrap', '--variant=minbase', ...args]));
}

/** The mirror that this system's own packages of Debian come from. @throws Error if none do */
async function debianMirror(): Promise<string> {
  const filter = ['Created-By: Packages', 'Label: Debian'];
  const { stdout } = await execa('apt-get', ['indextargets', '--format', '$(REPO_URI)', ...filter]);
  const [mirror] = stdout.split('\n').filter(Boolean);
  if (mirror === undefined) throw new Error("apt's sources name no mirror of Debian.");
  return mirror;
}

function inherited([file = '', ...args]: string[]) {
  return execa(file, args, { stdout: 'inherit', stderr: 'inherit' });
}
