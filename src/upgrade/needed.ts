import { type Manifest, manifestPath, pristineRecord } from '../plan/manifest.js';
import type { Plan } from '../plan/plan-project.js';
import type { ProjectFile } from '../project/read-file.js';
import { pairFiles } from './pair-files.js';
import { basePath } from './place-files.js';
import { isUnedited } from './unedited.js';

/** The paths that have to be read of a project before an upgrade is planned, as far as they exist. */
export function pathsToRead(manifest: Manifest, next: Plan): string[] {
  const before = new Map(manifest.files.map(({ path, sha256 }) => [path, sha256]));
  const now = new Map(next.files.map((file) => [file.path, file]));
  const known = manifest.files.flatMap(({ path, movedTo }) => [
    path,
    ...(movedTo ? [movedTo] : []),
  ]);
  const isSame = (path: string) => {
    const [file, sha256] = [now.get(path), before.get(path)];
    return file && sha256 && isUnedited(file.content, { sha256 });
  };
  const changed = [...new Set([...before.keys(), ...now.keys()])].filter((path) => !isSame(path));
  const record = pristineRecord({ files: [] }).map(({ path }) => path);
  return [...new Set([...known, ...now.keys(), ...changed.map(basePath), ...record, manifestPath])];
}

/**
 * The files whose pristine text is needed: the template and the team have both changed them, or they are not where they
 * were. `changesUpstream` alone would do, but reading all of them costs time.
 */
export function idsNeedingBase(
  manifest: Manifest,
  next: Plan,
  project: ReadonlyMap<string, ProjectFile>,
): string[] {
  return pairFiles(manifest.files, next.files).flatMap(({ id, before, now }) => {
    if (!before || (now && isUnedited(now.content, before))) {
      const isMissing = before && !project.has(before.movedTo ?? before.path);
      return isMissing ? [id] : [];
    }
    const yours = project.get(before.movedTo ?? before.path) ?? project.get(before.path);
    return yours && isUnedited(yours.content, before) ? [] : [id];
  });
}
