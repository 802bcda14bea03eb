import { execa } from 'execa';
import { asRoot } from './daemon.js';

/** Installs packages of Debian, as root or by `sudo`. @throws Error if that is not to be had here */
export async function installPackages(names: string[]): Promise<void> {
  await runAsRoot(['apt-get', 'update']);
  await runAsRoot(['apt-get', 'install', '--yes', '--no-install-recommends', ...names]);
}

/** Runs a command; what it prints is shown. */
export async function runAsRoot(command: string[]): Promise<void> {
  const [file = '', ...args] = asRoot(command);
  const env = { DEBIAN_FRONTEND: 'noninteractive' };
  await execa(file, args, { env, stdout: 'inherit', stderr: 'inherit' });
}
