import { spawn } from 'node:child_process';
import { cpSync, symlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import { repositoryFolder } from '../../scripts/matrix/child.js';
import { cleanEnv, type Ended, ended, scratchFolder } from './cli.js';

const copied = [
  ...['bin', 'dist', 'scripts', 'src', 'templates'],
  ...['.gitignore', 'CONTRIBUTING.md', 'biome.json', 'package.json', 'tsconfig.json'],
];

/** A copy of this repository for a test that changes it, with the same packages. */
export function copyRepository(): string {
  const folder = scratchFolder();
  const filter = (path: string) => basename(path) !== 'node_modules';
  for (const name of copied) {
    cpSync(join(repositoryFolder, name), join(folder, name), { recursive: true, filter });
  }
  symlinkSync(join(repositoryFolder, 'node_modules'), join(folder, 'node_modules'), 'junction');
  return folder;
}

/** Starts `scripts/<name>.ts` of a repository as npm would, without the processes between. */
export function startScript(repository: string, name: string, args: string[] = []) {
  const file = join('scripts', `${name}.ts`);
  return spawn(process.execPath, ['--import', 'tsx', file, ...args], {
    cwd: repository,
    env: cleanEnv(),
  });
}

export function runScript(repository: string, name: string, args: string[] = []): Promise<Ended> {
  return ended(startScript(repository, name, args));
}

/** Runs a command of the repository's packages. */
export function runTool(folder: string, command: string, args: string[]): Promise<Ended> {
  const tool = join(repositoryFolder, 'node_modules', '.bin', command);
  return ended(spawn(tool, args, { cwd: folder, env: cleanEnv() }));
}
