import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { outputFileSync } from 'fs-extra/esm';
import type { Answers } from '../../src/answers/questions.js';
import { readCatalog } from '../../src/catalog/read-catalog.js';
import { filesToWrite } from '../../src/commands/create-files.js';
import { UserError } from '../../src/errors.js';
import { recordFolder, sha256Of } from '../../src/plan/manifest.js';
import { planFromTemplates } from '../../src/plan/plan-project.js';
import { openProject } from '../../src/project/open-project.js';
import { repositoryFolder } from '../matrix/child.js';

/** Where `play` renders to, and where `pull` looks if nothing else is said. */
export const playFolder = join(repositoryFolder, 'playground/play');

/**
 * Updates the folder to the current templates. A file whose template has not changed stays as it is, edits included;
 * one whose template has changed is replaced, and an edited one is first copied to `<file>.edited`.
 * @returns a line for people about each change
 * @throws UserError if something else created the folder
 */
export function renderInto(folder: string, answers: Answers): string[] {
  const isThere = existsSync(folder);
  if (isThere && !existsSync(join(folder, recordFolder))) {
    throw new UserError(`${folder} was not made by this script. Remove it first.`);
  }
  const recorded = isThere ? openProject(folder).manifest.files : [];
  const before = new Map(recorded.map(({ path, sha256 }) => [path, sha256]));
  const plan = planFromTemplates(readCatalog(), answers);
  const planned = new Set(plan.files.map(({ path }) => path));
  const lines: string[] = [];
  for (const [path, sha256] of before) {
    const target = join(folder, path);
    if (planned.has(path) || !existsSync(target)) continue;
    const isEdited = sha256Of(readFileSync(target)) !== sha256;
    if (!isEdited) rmSync(target);
    lines.push(isEdited ? `${path}: gone from the templates, but edited here` : `removed  ${path}`);
  }
  for (const file of filesToWrite(plan)) {
    const target = join(folder, file.path);
    const here = existsSync(target) ? sha256Of(readFileSync(target)) : undefined;
    const now = sha256Of(file.content);
    const isOwn = file.path === '.env' && here !== undefined;
    if (isOwn || here === now || before.get(file.path) === now) continue;
    const isEdited = planned.has(file.path) && here !== undefined && here !== before.get(file.path);
    if (isEdited) renameSync(target, `${target}.edited`);
    outputFileSync(target, file.content, { mode: file.mode });
    if (isEdited) lines.push(`${file.path}: edited here too, your text is beside it as .edited`);
    else if (planned.has(file.path)) lines.push(`written  ${file.path}`);
  }
  return lines;
}

/** Runs a script for people: what they did wrong is told in one sentence, and the exit code is 1. */
export async function runScript(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    console.error([error.message, error.hint].filter(Boolean).join('\n'));
    process.exitCode = 1;
  }
}
