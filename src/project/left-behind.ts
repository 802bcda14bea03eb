import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { UserError } from '../errors.js';
import { manifestPath } from '../plan/manifest.js';
import { isUnedited } from '../upgrade/unedited.js';
import { openProject, type Project } from './open-project.js';
import { readProjectFile } from './read-file.js';

/** What a project that is made over another one does not bring any more, by path. */
export interface LeftBehind {
  /** As they were emitted: nobody would miss them. */
  removed: string[];
  /** Edited since, or migrations, which some database has run. */
  kept: string[];
}

/**
 * Files of the project that lies in the folder which the new one does not have: it moved them, or dropped them. Whatever
 * the generator did not emit is not looked at.
 * @param paths of the new project
 */
export function leftBehind(folder: string, paths: string[]): LeftBehind {
  const left: LeftBehind = { removed: [], kept: [] };
  const brought = new Set(paths);
  for (const file of projectIn(folder)?.manifest.files ?? []) {
    const place = file.movedTo ?? file.path;
    const content = brought.has(place) ? undefined : contentOf(folder, place);
    if (!content) continue;
    const isOurs = file.owner !== 'frozen' && isUnedited(content, file);
    left[isOurs ? 'removed' : 'kept'].push(place);
  }
  return left;
}

/** Undefined also for one whose record nobody can rely on. */
function projectIn(folder: string): Project | undefined {
  if (!existsSync(join(folder, manifestPath))) return undefined;
  return unlessRefused(() => openProject(folder));
}

function contentOf(folder: string, path: string): Buffer | undefined {
  return unlessRefused(() => readProjectFile(folder, path)?.content);
}

function unlessRefused<Result>(look: () => Result): Result | undefined {
  try {
    return look();
  } catch (error) {
    if (error instanceof UserError) return undefined;
    throw error;
  }
}
