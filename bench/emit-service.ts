import { rm } from 'node:fs/promises';
import { execa } from 'execa';
import { refuseStaleTemplates } from '../scripts/build/pack-templates.js';
import type { Kind } from './kinds.js';
import { MODULES, root, serviceFolderOf } from './places.js';

/** The emitted service with the first choices for all but its kind, built as for production. */
export async function emitService(kind: Kind): Promise<void> {
  const folder = serviceFolderOf(kind);
  const { framework, database } = kind;
  refuseStaleTemplates(root);
  await rm(folder, { recursive: true, force: true });
  const flags = ['--framework', framework, '--database', database];
  await execa(
    'node',
    ['bin/create-auth-service.js', folder, ...flags, '--yes', '--no-install', '--no-git'],
    { cwd: root },
  );
  await buildService(folder);
}

/**
 * `npm run build`, and beside it each module of its own, which the bundle does not have: for what is called without requests. The
 * packages are found in the repository that the folder lies in.
 */
export async function buildService(folder: string): Promise<void> {
  await execa('npm', ['run', 'build'], { cwd: folder });
  const modules = ['--noEmit', 'false', '--rootDir', '.', '--outDir', MODULES];
  await execa('npx', ['tsc', '-p', 'tsconfig.build.json', ...modules], { cwd: folder });
}
