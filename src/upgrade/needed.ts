import {
  type Manifest,
  type ManifestFile,
  manifestPath,
  pristineRecord,
  sha256Of,
} from '../plan/manifest.js';
import type { Plan } from '../plan/plan-project.js';
import type { ProjectFile } from '../project/read-file.js';
import { type Pair, pairFiles } from './pair-files.js';
import { basePath } from './place-files.js';
import { isUnedited } from './unedited.js';

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
    before.sha256 === sha256Of(now.content)
  );
}

/**
 * The paths that an upgrade is planned from. Once the team has moved files, new ones may follow them to where others lie: then
 * all texts are needed.
 * @param isThere whether something lies at a path
 */
export function neededPaths(
  manifest: Manifest,
  next: Plan,
  isThere: (path: string) => boolean,
): NeededPaths {
  const pairs = pairFiles(manifest.files, next.files);
  const isAtHome = ({ path, movedTo }: ManifestFile) => movedTo === undefined && isThere(path);
  const areAtHome = manifest.files.every(isAtHome);
  const isPlace = (pair: Pair) => areAtHome && isLeftAlone(pair);
  const template = pairs.filter((pair) => !isLeftAlone(pair)).flatMap(pathsOf);
  const texts = pairs.filter((pair) => !isPlace(pair)).flatMap(pathsOf);
  const record = pristineRecord({ files: [] }).map(({ path }) => path);
  return {
    texts: [...texts, ...template.map(basePath), ...record, manifestPath],
    places: pairs.filter(isPlace).flatMap(pathsOf),
  };
}

function pathsOf({ before, now }: Pair): string[] {
  return [before?.path, before?.movedTo, now?.path].filter((path) => path !== undefined);
}

/**
 * The files whose pristine text is needed: the template and the team have both changed them, or they are not where they
 * were. A change of the template alone would do, but reading all of them costs time.
 */
export function idsNeedingBase(
  manifest: Manifest,
  next: Plan,
  project: ReadonlyMap<string, ProjectFile>,
  places: ReadonlySet<string>,
): string[] {
  const isThere = (path: string) => project.has(path) || places.has(path);
  return pairFiles(manifest.files, next.files).flatMap(({ id, before, now }) => {
    if (!before || (now && isUnedited(now.content, before))) {
      const isMissing = before && !isThere(before.movedTo ?? before.path);
      return isMissing ? [id] : [];
    }
    const yours = project.get(before.movedTo ?? before.path) ?? project.get(before.path);
    return yours && isUnedited(yours.content, before) ? [] : [id];
  });
}
