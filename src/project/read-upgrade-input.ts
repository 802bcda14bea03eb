import type { Catalog } from '../catalog/catalog.js';
import { packPath } from '../plan/base-pack.js';
import { type ManifestFile, manifestPath } from '../plan/manifest.js';
import type { Plan } from '../plan/plan-project.js';
import { isCode } from '../upgrade/merge/parse-code.js';
import {
  besidePath,
  idsNeedingBase,
  movesImported,
  neededPaths,
  pairFiles,
} from '../upgrade/pair-files.js';
import { placeFiles } from '../upgrade/place-files.js';
import type { UpgradeInput } from '../upgrade/plan-upgrade.js';
import type { Project } from './open-project.js';
import { ownPaths } from './paths-below.js';
import { readBases } from './read-bases.js';
import { type ProjectFile, readAnyFile, readProjectFile } from './read-file.js';

// Templates are far smaller; a larger file was never one.
const largestMoved = 256 * 1024;

/**
 * Reads the input of an upgrade plan: the emitted files, and the pristine texts of those that template and team have
 * both changed. Other files are read only if one is missing from its place, or if the template moves one: they may
 * import it.
 * @param moves false if no file may be taken for a moved one
 * @throws UserError if a link, a folder or a device is in a file's place
 */
export async function readUpgradeInput(
  catalog: Catalog,
  project: Project,
  next: Plan,
  moves: boolean,
): Promise<UpgradeInput> {
  const { root, manifest } = project;
  const pairs = pairFiles(manifest.files, next.files);
  const files = new Map<string, ProjectFile>();
  const take = (path: string) => {
    const file = readProjectFile(root, path);
    if (file) files.set(path, file);
  };
  [manifestPath, packPath, ...neededPaths(pairs)].forEach(take);
  const isKnown = ({ path, movedTo = path, deleted }: ManifestFile) =>
    deleted || files.has(path) || files.has(movedTo);
  const areSought = moves && !manifest.files.every(isKnown);
  if (areSought || movesImported(pairs)) {
    const isWanted = (path: string) => !files.has(path) && (areSought || isCode(path));
    for (const [path, file] of await readOthers(root, isWanted)) files.set(path, file);
  }
  // Where the team has moved a folder: what it has there may stand in the way of a new file.
  for (const { place, goesTo } of areSought ? [] : placeFiles(pairs, files, new Map(), false)) {
    if (goesTo !== undefined && goesTo !== place) [goesTo, besidePath(goesTo)].forEach(take);
  }
  const ids = new Set(idsNeedingBase(pairs, files));
  const wanted = manifest.files.filter(({ id }) => ids.has(id));
  const bases = await readBases(catalog, project, wanted);
  const read = (path: string) => readAnyFile(root, path);
  return { manifest, next, bases, project: files, read, moves };
}

/** The files of the team's that may be a moved one at its new path, by path. */
export async function readOthers(
  root: string,
  isWanted: (path: string) => boolean,
): Promise<Map<string, ProjectFile>> {
  const paths = await ownPaths(root, isWanted);
  const found = paths.flatMap((path) => {
    const file = readAnyFile(root, path, largestMoved);
    return file ? [[path, file] as const] : [];
  });
  return new Map(found);
}
