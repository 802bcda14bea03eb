import { statSync } from 'node:fs';
import { join } from 'node:path';
import { dirname } from 'node:path/posix';
import type { Plan } from '../plan/plan-project.js';
import { leavesProject } from '../upgrade/leaves-project.js';
import { idsNeedingBase, type NeededPaths, neededPaths } from '../upgrade/needed.js';
import { besidePath, type UpgradeInput } from '../upgrade/plan-upgrade.js';
import { folderListings, type Listings } from './folder-listings.js';
import type { Project } from './open-project.js';
import { pathsBelow } from './paths-below.js';
import { readBases } from './read-bases.js';
import { type KnownFolders, type ProjectFile, readProjectFile, statsWithin } from './read-file.js';

// No template is near this size; what is larger was never one.
const largestMoved = 256 * 1024;

/**
 * Reads what an upgrade is planned from, and no more: texts only of files which the template has changed, their pristine texts
 * only if the team has changed them too, other files of the team only if one is missing from its place.
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
  const needed = neededPaths(manifest, next, (path) => listed(path) !== undefined);
  const beside = [...manifest.files, ...next.files].map(({ path }) => besidePath(path));
  const { files, places } = look(root, listed, { ...needed, texts: [...needed.texts, ...beside] });
  const isThere = (path: string) => files.has(path) || places.has(path);
  const isInPlace = ({ path, movedTo }: { path: string; movedTo?: string }) =>
    isThere(path) || (movedTo !== undefined && isThere(movedTo));
  if (!manifest.files.every(isInPlace)) readMoved(root, files);
  const ids = new Set(idsNeedingBase(manifest, next, files, places));
  const wanted = manifest.files.filter(({ id }) => ids.has(id));
  const bases = await readBases(project, wanted, renderAgain);
  return { manifest, next, bases, project: files, places };
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

function readMoved(root: string, files: Map<string, ProjectFile>): void {
  for (const path of pathsBelow(root)) {
    if (files.has(path) || leavesProject(path)) continue;
    if (statSync(join(root, path)).size > largestMoved) continue;
    const file = readProjectFile(root, path);
    if (file) files.set(path, file);
  }
}
