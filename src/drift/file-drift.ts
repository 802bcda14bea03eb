import { join } from 'node:path';
import type { Catalog } from '../catalog/catalog.js';
import { type FilePatch, filePatch, noPatch } from '../diff/file-patch.js';
import type { Document } from '../documents.js';
import { UserError } from '../errors.js';
import { type ManifestFile, sha256Of } from '../plan/manifest.js';
import { isExecutable } from '../plan/ownership.js';
import type { Project } from '../project/open-project.js';
import { readBases } from '../project/read-bases.js';
import { type ProjectFile, readProjectFile, statsOf } from '../project/read-file.js';
import { readOthers } from '../project/read-upgrade-input.js';
import { isOnlyReformatted } from '../upgrade/merge/same-code.js';
import { withLineEndsOf } from '../upgrade/merge/text-shape.js';
import { besidePath, pairFiles } from '../upgrade/pair-files.js';
import { moveOf, placeFiles } from '../upgrade/place-files.js';
import { isUnedited } from '../upgrade/unedited.js';
import type { UpgradePlan } from '../upgrade/upgrade-plan.js';

/**
 * What became of a file since it was emitted. `line ends`: lines differ only in how they end. `formatted`: only what a
 * formatter decides differs. `moved`: nothing but its place; an `edited` file may have been moved as well. `unknown`:
 * it cannot be compared.
 */
export type DriftState = Document<'diff'>['files'][number]['state'];

/** An emitted file, and what the team made of it. */
export interface FileDrift {
  file: ManifestFile;
  /** Its path in the project; if it is gone, the last one known. */
  place: string;
  state: DriftState;
  /** From the pristine text to the team's. */
  patch: FilePatch;
  /** Why it is `unknown`, with the path of the cause: the same for all files of a linked folder. */
  problem?: string;
}

/**
 * Compares emitted files with those in the project. Pristine texts are read only where they are needed.
 * @param files as `findPlaces` tells them
 */
export async function readDrift(
  catalog: Catalog,
  project: Project,
  files: ManifestFile[],
): Promise<FileDrift[]> {
  const found = files.map((file) => ({ file, now: fileAt(project.root, file) }));
  const compared = found.flatMap(({ file, now }) =>
    now instanceof UserError || (now && isUnedited(now.content, file)) ? [] : [file],
  );
  const bases = await readBases(catalog, project, compared);
  return found.map(({ file, now }) => driftOf(file, now, bases.get(file.id)));
}

/** @param base the pristine text; undefined if it is not needed or cannot be found */
function driftOf(
  file: ManifestFile,
  now: ProjectFile | UserError | undefined,
  base: Buffer | undefined,
): FileDrift {
  const place = file.movedTo ?? file.path;
  const drift = (state: DriftState, patch = noPatch) => ({ file, place, state, patch });
  if (now instanceof UserError) return { ...drift('unknown'), problem: now.message };
  if (!now) {
    const before = base && { content: base, mode: file.mode };
    return drift('deleted', filePatch(file.path, before, undefined));
  }
  const patchFrom = (before: Buffer, content: Buffer) =>
    filePatch(place, { content: before, mode: file.mode }, { ...now, content }, file.path);
  if (isUnedited(now.content, file)) {
    const patch = patchFrom(now.content, now.content);
    if (place !== file.path) return drift('moved', patch);
    if (isExecutable(now.mode) !== isExecutable(file.mode)) return drift('mode', patch);
    const isExact = [file.sha256, file.offered].includes(sha256Of(now.content));
    return drift(isExact ? 'pristine' : 'line ends');
  }
  if (!base) return { ...drift('unknown'), problem: `${place}: its pristine text is missing.` };
  // So that the patch shows only what people have changed.
  const after = withLineEndsOf(base, now.content);
  // Decided in the same way as by an upgrade.
  const isFormatted = isOnlyReformatted(file.path, base, now.content);
  return drift(isFormatted ? 'formatted' : 'edited', patchFrom(base, after));
}

/**
 * Finds the files that the team has moved. Its other files are read only if an emitted one is missing.
 * @returns the emitted files, with where they have been moved since the record was written, and these moves
 */
export async function findPlaces(
  catalog: Catalog,
  project: Project,
): Promise<{ files: ManifestFile[]; moves: UpgradePlan['moves'] }> {
  const { root, manifest } = project;
  const paths = manifest.files.flatMap(({ path, movedTo = path }) => [path, movedTo]);
  const there = new Set(paths.filter((path) => statsOf(join(root, path)) !== undefined));
  const missing = manifest.files.filter(
    ({ path, movedTo = path, deleted }) => !deleted && !there.has(path) && !there.has(movedTo),
  );
  const bases = await readBases(catalog, project, missing);
  const ours = new Set(paths.flatMap((path) => [path, besidePath(path)]));
  const others = missing.length > 0 ? await readOthers(root, (path) => !ours.has(path)) : [];
  // What is where it is known to be is compared with nothing: its text does not matter here.
  const unread = { content: Buffer.alloc(0), mode: 0 };
  const found = new Map([...[...there].map((path) => [path, unread] as const), ...others]);
  const placed = placeFiles(pairFiles(manifest.files, []), found, bases, true);
  return {
    files: placed.flatMap(({ before, place = before?.movedTo }) =>
      before ? { ...before, movedTo: place === before.path ? undefined : place } : [],
    ),
    moves: placed.flatMap(moveOf),
  };
}

function fileAt(root: string, { path, movedTo, mode }: ManifestFile) {
  try {
    const now = readProjectFile(root, movedTo ?? path);
    // Windows has no such permission: its mode means nothing.
    return now && process.platform === 'win32' ? { ...now, mode } : now;
  } catch (error) {
    if (error instanceof UserError) return error;
    throw error;
  }
}
