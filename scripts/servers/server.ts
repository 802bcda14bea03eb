import { spawn } from 'node:child_process';
import { mkdtempSync, openSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { execa, execaSync } from 'execa';

/** A server that tests of emitted services use. */
export interface Server {
  name: string;
  /** Debian's package, and the unit that it may start by itself. */
  package: string;
  unit: string;
  port: number;
  /** True if the package is installed. */
  isInstalled(): boolean;
  /** Throws if a server answers that tests cannot use: with another password. */
  check?(): Promise<void>;
  /** Starts a server of our own on loopback, with its data in `folder`, which is empty. */
  start(folder: string): Promise<void>;
  /** Commits without waiting for the disk, for faster tests. A crash of the machine loses the last commits. */
  commitEarly?(): Promise<void>;
}

const PATIENCE_MS = 30_000;
const isRoot = process.getuid?.() === 0;

/**
 * Uses the server that runs on the port, else installs and starts one.
 * @throws Error if it cannot be used, installed or started
 */
export async function ensure(server: Server): Promise<void> {
  const { name, port, unit } = server;
  if (!(await listensOn(port))) {
    if (!server.isInstalled()) {
      await installPackages([server.package]);
      // With an init system the package has started a server with passwords of its own.
      await runAsRoot(['systemctl', 'stop', unit]).catch(() => undefined);
    }
    const folder = mkdtempSync(join(tmpdir(), `${unit}-`));
    console.log(`${name}: on 127.0.0.1:${port}, data in ${folder}`);
    await server.start(folder);
    await untilListening(server);
  }
  await server.check?.();
  // A server that we found may hold somebody's data; not in CI.
  if (process.env.CI) await server.commitEarly?.();
}

/** Installs Debian packages, as root or with `sudo`. @throws Error if neither is possible here */
export async function installPackages(names: string[]): Promise<void> {
  await runAsRoot(['apt-get', 'update']);
  await runAsRoot(['apt-get', 'install', '--yes', '--no-install-recommends', ...names]);
}

/** The user that a server runs as: servers refuse to run as root, and their packages create a user. */
export function userOf(ownUser: string): string | undefined {
  return isRoot ? ownUser : undefined;
}

/** A command as another user. */
export function as(user: string | undefined, command: string[]): string[] {
  return user ? ['runuser', '-u', user, '--', ...command] : command;
}

/** Makes a user the owner of a folder. */
export function give(folder: string, user: string | undefined): void {
  if (user) execaSync('chown', [`${user}:`, folder]);
}

/** Starts a server that outlives this process; what it prints goes to `<folder>/log`. */
export function startDaemon(folder: string, [file = '', ...args]: string[]): void {
  const log = openSync(join(folder, 'log'), 'a');
  const child = spawn(file, args, { detached: true, stdio: ['ignore', log, log], cwd: folder });
  child.unref();
  console.log(`  end it by: kill ${child.pid}`);
}

function listensOn(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
}

async function untilListening({ name, port }: Server): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  while (!(await listensOn(port))) {
    if (performance.now() > deadline) throw new Error(`${name} does not come up.`);
    await wait(100);
  }
}

async function runAsRoot(command: string[]): Promise<void> {
  const asRoot = isRoot ? command : ['sudo', '--non-interactive', '--preserve-env', ...command];
  const [file = '', ...args] = asRoot;
  const env = { DEBIAN_FRONTEND: 'noninteractive' };
  await execa(file, args, { env, stdout: 'inherit', stderr: 'inherit' });
}
