import { existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { filesToWrite } from '../../src/commands/create-files.js';
import { recordFolder } from '../../src/plan/manifest.js';
import type { Plan, PlannedFile } from '../../src/plan/plan-project.js';
import { writeTree } from '../../src/project/write-project.js';
import { contentOf, editedEnding, isSame } from './project-files.js';
import { readRecord, writeRecord } from './record.js';

/** What was done to a file of the project. */
export interface Change {
  path: string;
  /** `kept`: edited here, gone from the templates. `replaced`: edited here, changed in the templates. */
  done: 'written' | 'removed' | 'kept' | 'replaced';
}

/**
 * Brings the folder to what the templates say now. A file whose template has not changed stays as it is, edits and all;
 * one whose template has changed is replaced, and an edited one is first put beside as `<file>.edited`.
 */
export async function bringUpToDate(folder: string, plan: Plan): Promise<Change[]> {
  const pristine = existsSync(join(folder, recordFolder))
    ? readRecord(folder).pristine
    : new Map<string, Buffer>();
  const planned = new Map(plan.files.map((file) => [file.path, file]));
  const stale = [...new Set([...planned.keys(), ...pristine.keys()])]
    .filter((path) => !isSame(pristine.get(path), planned.get(path)?.content))
    .sort();
  const changes: Change[] = [];
  for (const path of stale) {
    const done = await renew(folder, path, pristine.get(path), planned.get(path));
    if (done) changes.push({ path, done });
  }
  if (stale.length > 0) await writeRecord(folder, plan);
  const target = { path: folder, exists: true, isOccupied: true };
  const secrets = filesToWrite(target, plan).files.filter(({ path }) => path === '.env');
  await writeTree(folder, secrets);
  return changes;
}

/** @returns undefined if the folder has the new text already, as after `pull` */
async function renew(
  folder: string,
  path: string,
  before: Buffer | undefined,
  file: PlannedFile | undefined,
): Promise<Change['done'] | undefined> {
  const here = contentOf(folder, path);
  if (isSame(here, file?.content)) return undefined;
  const isEdited = here !== undefined && !isSame(here, before);
  if (!file) {
    if (!isEdited) rmSync(join(folder, path));
    return isEdited ? 'kept' : 'removed';
  }
  if (isEdited) renameSync(join(folder, path), join(folder, path + editedEnding));
  await writeTree(folder, [file]);
  return isEdited ? 'replaced' : 'written';
}
