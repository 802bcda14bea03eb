import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Migration } from '../upgrade/data-migrations.js';
import type { Project } from './open-project.js';
import { readProjectFile, statsWithin } from './read-file.js';

const folder = 'migrations';

/** The migrations of a project, the team's own among them, by name. */
export function readMigrations({ root }: Project): Migration[] {
  if (!statsWithin(root, folder)?.isDirectory()) return [];
  return readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.ts'))
    .sort()
    .map((name) => `${folder}/${name}`)
    .map((path) => ({ path, text: readProjectFile(root, path)?.content.toString() ?? '' }));
}
