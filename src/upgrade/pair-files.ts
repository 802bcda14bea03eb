import type { ManifestFile } from '../plan/manifest.js';
import type { PlannedFile } from '../plan/plan-project.js';
import type { ProjectFile } from '../project/read-file.js';
import { isCode } from './merge/parse-code.js';
import { isUnedited } from './unedited.js';

/** A file of the template before and now; one of them may be missing. */
export type Pair =
  | { id: string; before: ManifestFile; now: PlannedFile | undefined }
  | { id: string; before: undefined; now: PlannedFile };

/** Pairs files with the same id: a file that the template has moved is known, not guessed. */
export function pairFiles(before: ManifestFile[], now: PlannedFile[]): Pair[] {
  const later = new Map(now.map((file) => [file.id, file]));
  const known = new Set(before.map(({ id }) => id));
  return [
    ...before.map((file) => ({ id: file.id, before: file, now: later.get(file.id) })),
    ...now
      .filter(({ id }) => !known.has(id))
      .map((file) => ({ id: file.id, before: undefined, now: file })),
  ];
}

/** The path of the template's text beside the team's file until the team has decided. */
export function besidePath(path: string): string {
  return `${path}.template`;
}

/**
 * The paths of the project's files that an upgrade is planned from, and those at which it may put a text beside one.
 * Not all of these paths exist.
 */
export function neededPaths(pairs: Pair[]): string[] {
  const paths = ({ before, now }: Pair) =>
    [before?.path, before?.movedTo, now?.path].filter((path) => path !== undefined);
  const changed = pairs.filter(
    ({ before, now }) => now && (!before || before.offered || !isUnedited(now.content, before)),
  );
  return [...new Set([...pairs.flatMap(paths), ...changed.flatMap(paths).map(besidePath)])];
}

/** True if the template has moved or dropped a file that others may import. */
export function movesImported(pairs: Pair[]): boolean {
  return pairs.some(
    ({ before, now }) => before && before.path !== now?.path && isCode(before.path),
  );
}

/**
 * The files whose pristine text is needed: those that template and team have both changed, and those that are no longer
 * where they were. Taking all that the template has changed would be right too, but unpacking them costs time.
 */
export function idsNeedingBase(pairs: Pair[], project: ReadonlyMap<string, ProjectFile>): string[] {
  return pairs.flatMap(({ id, before, now }) => {
    if (!before) return [];
    const yours = project.get(before.movedTo ?? before.path) ?? project.get(before.path);
    if (!yours) return [id];
    const isLeftAlone = now && isUnedited(now.content, before) && before.offered === undefined;
    return isLeftAlone || isUnedited(yours.content, before) ? [] : [id];
  });
}
