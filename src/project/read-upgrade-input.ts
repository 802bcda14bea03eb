import { statSync } from 'node:fs';
import { join } from 'node:path';
import { dirname } from 'node:path/posix';
import type { Plan } from '../plan/plan-project.js';
import { leavesProject } from '../upgrade/leaves-project.js';
import { isCode } from '../upgrade/merge/parse-code.js';
import { idsNeedingBase, movesImported, type NeededPaths, neededPaths } from '../upgrade/needed.js';
import { pairFiles } from '../upgrade/pair-files.js';
import { besidePath, type UpgradeInput } from '../upgrade/plan-upgrade.js';
import { folderListings, type Listings } from './folder-listings.js';
import type { Project } from './open-project.js';
import { pathsBelow } from './paths-below.js';
import { readBases } from './read-bases.js';
import {
  type KnownFolders,
  type ProjectFile,
  readAnyFile,
  readProjectFile,
  statsWithin,
} from './read-file.js';

// No template is near this size; what is larger was never one.
const largestMoved = 256 * 1024;

/**
 * Reads what an upgrade is planned from, and no more: texts only of files which the template has changed, their pristine texts
 * only if the team has changed them too, other files only if one is missing from its place, or the template moves one: they may
 * import it.
 * @param renderAgain as `readBases` takes it
 * @throws UserError if a link, a folder or a device is in a file's place
 */
export async function readUpgradeInput(
  project: Project,
  next: Plan,
  renderAgain: () => Promise<ReadonlyMap<string, Buffer>>,
): Promise<UpgradeInput> {
  const { root, manifest } = project;
  const listed = folderListings(root);
  const pairs = pairFiles(manifest.files, next.files);
  const needed = neededPaths(pairs, (path) => listed(path) !== undefined);
  const beside = [...manifest.files, ...next.files].map(({ path }) => besidePath(path));
  const { files, places } = look(root, listed, { ...needed, texts: [...needed.texts, ...beside] });
  const isThere = (path: string) => files.has(path) || places.has(path);
  const isInPlace = ({ path, movedTo }: { path: string; movedTo?: string }) =>
    isThere(path) || (movedTo !== undefined && isThere(movedTo));
  if (!manifest.files.every(isInPlace)) readOthers(root, files);
  else if (movesImported(pairs)) readOthers(root, files, isCode);
  const ids = new Set(idsNeedingBase(pairs, files, places));
  const wanted = manifest.files.filter(({ id }) => ids.has(id));
  const bases = await readBases(project, wanted, renderAgain);
  return { manifest, next, pairs, bases, project: files, places };
}

/** Reads the files at some paths, and looks which of others are files. */
function look(root: string, listed: Listings, needed: NeededPaths) {
  const folders: KnownFolders = new Map();
  const read = (path: string) => {
    const file = listed(path) ? readProjectFile(root, path, folders) : undefined;
    return file ? [[path, file] as const] : [];
  };
  const isFile = (path: string) => {
    if (listed(path) !== 'file') return read(path).length > 0;
    const folder = dirname(path);
    // Its listing may have been got through a link.
    if (folder !== '.' && !folders.has(folder)) {
      folders.set(folder, statsWithin(root, folder, folders));
    }
    return true;
  };
  return {
    files: new Map([...new Set(needed.texts)].flatMap(read)),
    places: new Set(needed.places.filter(isFile)),
  };
}

function readOthers(
  root: string,
  files: Map<string, ProjectFile>,
  isWanted: (path: string) => boolean = () => true,
): void {
  const folders: KnownFolders = new Map();
  for (const path of pathsBelow(root)) {
    if (files.has(path) || leavesProject(path) || !isWanted(path)) continue;
    if (statSync(join(root, path)).size > largestMoved) continue;
    const file = readAnyFile(root, path, folders);
    if (file) files.set(path, file);
  }
}
