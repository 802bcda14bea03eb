import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Plan } from '../plan/plan-project.js';
import { leavesProject } from '../upgrade/leaves-project.js';
import { idsNeedingBase, pathsToRead } from '../upgrade/needed.js';
import { besidePath, type UpgradeInput } from '../upgrade/plan-upgrade.js';
import { folderListings } from './folder-listings.js';
import type { Project } from './open-project.js';
import { pathsBelow } from './paths-below.js';
import { readBases } from './read-bases.js';
import { type KnownFolders, type ProjectFile, readProjectFile } from './read-file.js';

// No template is near this size; what is larger was never one.
const largestMoved = 256 * 1024;

/**
 * Reads what an upgrade is planned from, and no more: pristine texts only of files which both sides have changed, other
 * files of the team only if one is missing from its place.
 * @param renderAgain as `readBases` takes it
 * @throws UserError if a link, a folder or a device is in a file's place
 */
export async function readUpgradeInput(
  project: Project,
  next: Plan,
  renderAgain: () => Promise<ReadonlyMap<string, Buffer>>,
): Promise<UpgradeInput> {
  const { root, manifest } = project;
  const paths = pathsToRead(manifest, next);
  const places = [...manifest.files, ...next.files].map(({ path }) => besidePath(path));
  const files = readAll(root, [...paths, ...places]);
  const isThere = ({ path, movedTo }: { path: string; movedTo?: string }) =>
    files.has(path) || (movedTo !== undefined && files.has(movedTo));
  if (!manifest.files.every(isThere)) readMoved(root, files);
  const needed = new Set(idsNeedingBase(manifest, next, files));
  const wanted = manifest.files.filter(({ id }) => needed.has(id));
  return { manifest, next, bases: await readBases(project, wanted, renderAgain), project: files };
}

function readAll(root: string, paths: string[]): Map<string, ProjectFile> {
  const mayExist = folderListings(root);
  const folders: KnownFolders = new Map();
  return new Map(
    [...new Set(paths)].flatMap((path) => {
      const file = mayExist(path) ? readProjectFile(root, path, folders) : undefined;
      return file ? [[path, file] as const] : [];
    }),
  );
}

function readMoved(root: string, files: Map<string, ProjectFile>): void {
  for (const path of pathsBelow(root)) {
    if (files.has(path) || leavesProject(path)) continue;
    if (statSync(join(root, path)).size > largestMoved) continue;
    const file = readProjectFile(root, path);
    if (file) files.set(path, file);
  }
}
