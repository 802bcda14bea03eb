import { manifestPath } from '../plan/manifest.js';
import type { ProjectFile } from '../project/read-file.js';
import { isTest } from './merge/parse-code.js';
import type { Pair } from './pair-files.js';
import { isExactly, isUnedited } from './unedited.js';

/** What has to be known of a project before an upgrade is planned. */
export interface NeededPaths {
  /** Of these, as far as they exist, the text. */
  texts: string[];
  /** Of these only whether a file is there: the template leaves it as it is, and so does the plan. */
  places: string[];
}

/** True if the template has the very file that it had: whatever the team has made of it stays. */
export function isLeftAlone({ before, now }: Pair): boolean {
  return (
    before !== undefined &&
    now !== undefined &&
    before.path === now.path &&
    before.mode === now.mode &&
    isExactly(now.content, before)
  );
}

/**
 * The paths that an upgrade is planned from. Once the team has moved files, new ones may follow them to where others lie: then
 * all texts are needed.
 * @param isThere whether something lies at a path
 */
export function neededPaths(pairs: Pair[], isThere: (path: string) => boolean): NeededPaths {
  const isAtHome = ({ before }: Pair) =>
    before === undefined || (before.movedTo === undefined && isThere(before.path));
  const places = new Set(pairs.every(isAtHome) ? pairs.filter(isLeftAlone) : []);
  const texts = pairs.filter((pair) => !places.has(pair));
  return {
    texts: [...texts.flatMap(pathsOf), manifestPath],
    places: [...places].flatMap(pathsOf),
  };
}

/** True if the template has moved a file that others may import: nobody imports a test. */
export function movesImported(pairs: Pair[]): boolean {
  return pairs.some(
    ({ before, now }) => before && now && before.path !== now.path && !isTest(before.path),
  );
}

function pathsOf({ before, now }: Pair): string[] {
  return [before?.path, before?.movedTo, now?.path].filter((path) => path !== undefined);
}

/**
 * The files whose pristine text is needed: the template and the team have both changed them, or they are not where they
 * were. A change of the template alone would do, but reading all of them costs time.
 */
export function idsNeedingBase(
  pairs: Pair[],
  project: ReadonlyMap<string, ProjectFile>,
  places: ReadonlySet<string>,
): string[] {
  const isThere = (path: string) => project.has(path) || places.has(path);
  return pairs.flatMap(({ id, before, now }) => {
    if (!before || (now && isUnedited(now.content, before))) {
      const isMissing = before && !isThere(before.movedTo ?? before.path);
      return isMissing ? [id] : [];
    }
    const yours = project.get(before.movedTo ?? before.path) ?? project.get(before.path);
    return yours && isUnedited(yours.content, before) ? [] : [id];
  });
}
