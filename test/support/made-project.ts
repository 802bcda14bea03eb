import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CliOptions, runCli } from './cli.js';
import type { Files } from './files.js';
import { commitAll, git } from './git.js';
import { once, sharedFolder } from './shared-folder.js';
import { smallTemplates } from './small-package.js';
import { smallWorld } from './small-world.js';

/** A project of small templates as it was emitted, and the command run in it. The tests of a file get copies of one. */
export async function madeProject(templates: Files = smallTemplates, answers: string[] = []) {
  const world = smallWorld(templates);
  const folder = join(world.cwd, 'made');
  cpSync(await emittedBy(world.bin, answers), folder, { recursive: true });
  const at = (path: string) => join(folder, path);
  return {
    ...world,
    folder,
    at,
    /** Runs a command in the project. */
    inside: (args: string[], options: Partial<CliOptions> = {}) =>
      world.run(args, { cwd: folder, ...options }),
    read: (path: string) => readFileSync(at(path), 'utf8'),
    /** Changes a file's text. */
    edit(path: string, change: (text: string) => string) {
      writeFileSync(at(path), change(readFileSync(at(path), 'utf8')));
    },
    /** Makes it a git repository with one commit. */
    commit() {
      commitAll(folder);
      return (...args: string[]) => git(folder, ...args);
    },
  };
}

/** The folder of a project that the command has created; no test may change it. */
export function emittedBy(bin: string, answers: string[] = []): Promise<string> {
  return emitted(JSON.stringify([bin, ...answers]));
}

const emitted = once(async (key) => {
  const [bin = '', ...answers] = JSON.parse(key) as string[];
  const cwd = sharedFolder();
  const args = ['made', ...answers, '--yes', '--no-install', '--no-git'];
  const made = await runCli(args, { cwd, bin });
  if (made.exitCode !== 0) throw new Error(made.stderr);
  return join(cwd, 'made');
});

export type MadeProject = Awaited<ReturnType<typeof madeProject>>;
