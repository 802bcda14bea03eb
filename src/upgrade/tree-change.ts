import { sha256Of } from '../plan/manifest.js';
import type { ProjectFile } from '../project/read-file.js';
import type { TreeChange } from './upgrade-plan.js';

/** The change that gives a path of the project its new content; undefined removes what is there. */
export function changeTo(
  path: string,
  there: ProjectFile | undefined,
  after: ProjectFile | undefined,
): TreeChange {
  const before = there && { sha256: sha256Of(there.content), mode: there.mode };
  return { path, before, after };
}

/** False if the path is already so. */
export function isChange({ before, after }: TreeChange): boolean {
  if (!before || !after) return before !== after;
  return before.sha256 !== sha256Of(after.content);
}
