import { dirname, join } from 'node:path';
import { UserError } from '../errors.js';
import { type Manifest, manifestPath, recordFolder } from '../plan/manifest.js';
import { readManifest } from '../upgrade/read-manifest.js';
import { readProjectFile, statsOf } from './read-file.js';

/** A service that this generator has made. */
export interface Project {
  /** Absolute. */
  root: string;
  manifest: Manifest;
  /** False if somebody has edited the manifest, or git has merged two manifests. */
  isIntact: boolean;
}

/**
 * Reads the record of the project that the folder belongs to.
 * @throws UserError as `findProject` and `readManifest` do
 */
export function openProject(start: string): Project {
  const root = findProject(start);
  const file = readProjectFile(root, manifestPath);
  if (!file) {
    throw new UserError(
      `${manifestPath} is missing in ${root}.`,
      'Restore it from the last commit: it records what was emitted.',
    );
  }
  return { root, ...readManifest(file.content.toString()) };
}

/** The folder itself or the nearest above it that holds a project. @throws UserError if there is none */
export function findProject(start: string): string {
  for (let folder = start; ; folder = dirname(folder)) {
    if (statsOf(join(folder, recordFolder))) return folder;
    if (folder === dirname(folder)) break;
  }
  throw new UserError(
    `No project here: neither ${start} nor a folder above it has a ${recordFolder}/.`,
    `Run this in a project made by create-auth-service. If the folder was deleted, restore it with git: git checkout <commit> -- ${recordFolder}`,
  );
}
