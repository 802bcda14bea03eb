import type { Side } from '../diff/file-patch.js';
import { UserError } from '../errors.js';
import { baseFolder, type ManifestFile, sha256Of } from '../plan/manifest.js';
import type { Project } from '../project/open-project.js';
import { readProjectFile } from '../project/read-file.js';
import { type FileDrift, fileDrift, unreadable } from './file-drift.js';

/** Compares emitted files with what lies in the project; a pristine text is read only where it is needed. */
export function readDrift({ root }: Project, files: readonly ManifestFile[]): FileDrift[] {
  return files.map((file) => {
    const now = stateOf(root, file);
    if (now instanceof UserError) return unreadable(file, now);
    const isPristine = now !== undefined && sha256Of(now.content) === file.sha256;
    return fileDrift(file, isPristine ? undefined : embeddedBase(root, file), now);
  });
}

function stateOf(root: string, file: ManifestFile): Side | UserError {
  try {
    const now = readProjectFile(root, file.movedTo ?? file.path);
    // Windows has no such permission: what it says of it means nothing.
    return now && process.platform === 'win32' ? { ...now, mode: file.mode } : now;
  } catch (error) {
    if (error instanceof UserError) return error;
    throw error;
  }
}

/** The pristine text that the project carries; undefined if it is missing or was changed. */
export function embeddedBase(root: string, file: ManifestFile): Buffer | undefined {
  try {
    const base = readProjectFile(root, `${baseFolder}/${file.path}`)?.content;
    return base && sha256Of(base) === file.sha256 ? base : undefined;
  } catch (error) {
    // Something else than a file lies there: to a comparison that is no text either.
    if (error instanceof UserError) return undefined;
    throw error;
  }
}
