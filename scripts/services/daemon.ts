import { spawn } from 'node:child_process';
import { chownSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { execaSync } from 'execa';

const isRoot = process.getuid?.() === 0;

/** The user that a server runs as: servers refuse to be root, and bring a user of their own. */
export function userOf(ownUser: string): string | undefined {
  return isRoot ? ownUser : undefined;
}

/** A command as another user. */
export function as(user: string | undefined, command: string[]): string[] {
  return user ? ['runuser', '-u', user, '--', ...command] : command;
}

/** A command as root. */
export function asRoot(command: string[]): string[] {
  return isRoot ? command : ['sudo', '--non-interactive', '--preserve-env', ...command];
}

/** Gives a folder to a user. */
export function give(folder: string, user: string | undefined): void {
  if (!user) return;
  const [uid, gid] = ['-u', '-g'].map((flag) => Number(execaSync('id', [flag, user]).stdout));
  if (uid !== undefined && gid !== undefined) chownSync(folder, uid, gid);
}

/** Starts a server that outlives this process; what it prints goes to `<folder>/log`. */
export function startDaemon(folder: string, [file = '', ...args]: string[]): void {
  const log = openSync(join(folder, 'log'), 'a');
  const child = spawn(file, args, { detached: true, stdio: ['ignore', log, log], cwd: folder });
  child.unref();
  console.log(`  end it by: kill ${child.pid}`);
}
