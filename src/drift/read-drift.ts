import type { Side } from '../diff/file-patch.js';
import { UserError } from '../errors.js';
import type { ManifestFile } from '../plan/manifest.js';
import type { Project } from '../project/open-project.js';
import { ownPaths } from '../project/paths-below.js';
import { readBases } from '../project/read-bases.js';
import { readAnyFile, readProjectFile } from '../project/read-file.js';
import { findMoved, type Move } from '../upgrade/find-moved.js';
import { isOnlyReformatted } from '../upgrade/merge/only-reformatted.js';
import { isUnedited } from '../upgrade/unedited.js';
import { type FileDrift, fileDrift, unreadable } from './file-drift.js';

/**
 * Compares emitted files with those in the project. Pristine texts are read only where they are needed, and other files
 * of the team only if an emitted one is missing from its place.
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
  const moved = missing.length > 0 ? await placesOf(project, missing, bases) : new Map();
  const drift = found.map(async ({ file, place: expected, now: there }) => {
    const place = moved.get(file.id)?.path ?? expected;
    const now = place === expected ? there : stateAt(project.root, place, file);
    if (now instanceof UserError) return unreadable(file, place, now);
    return withFormat(fileDrift(file, { place, base: bases.get(file.id), now }), bases, now);
  });
  return Promise.all(drift);
}

/** Decides in the same way as an upgrade whether a person or only a formatter has changed a file. */
async function withFormat(
  drift: FileDrift,
  bases: ReadonlyMap<string, Buffer>,
  now: Side,
): Promise<FileDrift> {
  const { file, state } = drift;
  const base = bases.get(file.id);
  if (state !== 'edited' || !base || !now) return drift;
  const isFormatted = await isOnlyReformatted(file.path, base, now.content);
  return isFormatted ? { ...drift, state: 'formatted' } : drift;
}

/**
 * If something other than a file is in the place of the pristine texts, the check of the record reports it, not this.
 */
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

async function placesOf(
  { root, manifest }: Project,
  missing: ManifestFile[],
  bases: ReadonlyMap<string, Buffer>,
): Promise<ReadonlyMap<string, Move>> {
  const known = new Set(manifest.files.flatMap(({ path, movedTo }) => [path, movedTo]));
  const others = (await ownPaths(root)).filter((path) => !known.has(path));
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
    // Windows has no such permission: its mode means nothing.
    return now && process.platform === 'win32' ? { ...now, mode } : now;
  } catch (error) {
    if (error instanceof UserError) return error;
    throw error;
  }
}
