import type { Side } from '../diff/file-patch.js';
import { UserError } from '../errors.js';
import type { ManifestFile } from '../plan/manifest.js';
import type { Project } from '../project/open-project.js';
import { pathsBelow } from '../project/paths-below.js';
import { readBases } from '../project/read-bases.js';
import { readAnyFile, readProjectFile } from '../project/read-file.js';
import { findMoved } from '../upgrade/find-moved.js';
import { leavesProject } from '../upgrade/leaves-project.js';
import { isUnedited } from '../upgrade/unedited.js';
import { type FileDrift, fileDrift, unreadable } from './file-drift.js';

/**
 * Compares emitted files with what lies in the project. Pristine texts are read only where they are needed, other files
 * of the team only if one is missing from its place.
 * @param renderAgain as `readBases` takes it
 */
export async function readDrift(
  project: Project,
  files: ManifestFile[],
  renderAgain: () => Promise<ReadonlyMap<string, Buffer>>,
): Promise<FileDrift[]> {
  const found = files.map((file) => {
    const place = file.movedTo ?? file.path;
    return { file, place, now: stateAt(project.root, place, file) };
  });
  const needed = found.filter(({ file, now }) => !isRead(now) || !isUnedited(now.content, file));
  const bases = await basesOf(
    project,
    needed.map(({ file }) => file),
    renderAgain,
  );
  const missing = found.flatMap(({ file, now }) => (now === undefined ? [file] : []));
  const moved = missing.length > 0 ? placesOf(project, missing, bases) : new Map<string, string>();
  return found.map(({ file, place: expected, now: there }) => {
    const place = moved.get(file.id) ?? expected;
    const now = place === expected ? there : stateAt(project.root, place, file);
    if (now instanceof UserError) return unreadable(file, place, now);
    return fileDrift(file, { place, base: bases.get(file.id), now });
  });
}

/** Something else than a file in the place of the pristine texts is told with the record, not here. */
async function basesOf(
  project: Project,
  files: ManifestFile[],
  renderAgain: () => Promise<ReadonlyMap<string, Buffer>>,
): Promise<Map<string, Buffer>> {
  try {
    return await readBases(project, files, renderAgain);
  } catch (error) {
    if (error instanceof UserError) return new Map();
    throw error;
  }
}

function placesOf(
  { root, manifest }: Project,
  missing: ManifestFile[],
  bases: ReadonlyMap<string, Buffer>,
): Map<string, string> {
  const known = new Set(manifest.files.flatMap(({ path, movedTo }) => [path, movedTo]));
  const others = pathsBelow(root).filter((path) => !known.has(path) && !leavesProject(path));
  const candidates = others.flatMap((path) => {
    const content = readAnyFile(root, path)?.content;
    return content ? [{ path, content }] : [];
  });
  const lost = missing.map((file) => ({ file, texts: [bases.get(file.id) ?? []].flat() }));
  return findMoved(lost, candidates);
}

type State = Side | UserError;

function isRead(state: State): state is NonNullable<Side> {
  return state !== undefined && !(state instanceof UserError);
}

function stateAt(root: string, path: string, { mode }: ManifestFile): State {
  try {
    const now = readProjectFile(root, path);
    // Windows has no such permission: what it says of it means nothing.
    return now && process.platform === 'win32' ? { ...now, mode } : now;
  } catch (error) {
    if (error instanceof UserError) return error;
    throw error;
  }
}
