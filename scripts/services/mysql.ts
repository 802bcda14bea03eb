import { existsSync, mkdirSync, renameSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { createConnection } from 'mysql2/promise';
import { asRoot, startDaemon } from './daemon.js';
import type { Service } from './service.js';

/** Debian has MySQL in unstable only, whose packages a stable system cannot take: they get a root of their own. */
const root = join(
  process.env.XDG_CACHE_HOME || join(homedir(), '.cache'),
  'create-auth-service/debian-sid',
);
const PROGRAM = '/usr/sbin/mysqld';
const PORT = 3307;

/** What emitted tests are given as TEST_DATABASE_URL to run on it. */
export const mysqlUrl = `mysql://root@127.0.0.1:${PORT}`;

/** MySQL itself; tests of emitted services find MariaDB by themselves. */
export const mysql: Service = {
  name: 'MySQL',
  package: 'debootstrap',
  unit: 'mysql',
  port: PORT,
  parentFolder: join(root, 'tmp'),

  isInstalled: () => existsSync('/usr/sbin/debootstrap'),

  async prepare() {
    if (existsSync(join(root, PROGRAM))) return;
    const unfinished = `${root}-${process.pid}`;
    mkdirSync(unfinished, { recursive: true });
    const options = ['--variant=minbase', '--include=mysql-server-core'];
    await inherited(asRoot(['debootstrap', ...options, 'sid', unfinished, await debianMirror()]));
    renameSync(unfinished, root);
  },

  async check(port) {
    const connection = await createConnection({ uri: mysqlUrl, port });
    await connection.end();
  },

  async start(folder, port) {
    const inside = folder.slice(root.length);
    const program = asRoot(['chroot', root, PROGRAM, '--no-defaults', '--user=nobody']);
    const data = `--datadir=${inside}/data`;
    await inherited(asRoot(['chroot', root, 'chown', 'nobody', inside]));
    await inherited([...program, data, '--initialize-insecure']);
    const settings = [
      '--bind-address=127.0.0.1',
      `--port=${port}`,
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
};

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
