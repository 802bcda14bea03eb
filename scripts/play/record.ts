import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { checkAll } from '../../src/answers/check.js';
import { type Answers, answersSchema } from '../../src/answers/schema.js';
import { readCatalog } from '../../src/catalog/read-catalog.js';
import { UserError } from '../../src/errors.js';
import { templatesFolder } from '../../src/package-root.js';
import { recordFiles, recordFolder } from '../../src/plan/manifest.js';
import type { Plan } from '../../src/plan/plan-project.js';
import { writeTree } from '../../src/project/write-project.js';

/** What a project was when it was rendered. */
export interface Record {
  answers: Answers;
  /** The text of each file, by path. */
  pristine: Map<string, Buffer>;
}

/** @throws UserError if the folder holds no project, or one of answers that are not there any more */
export function readRecord(folder: string): Record {
  const path = join(folder, recordFolder, 'manifest.json');
  if (!existsSync(path))
    throw new UserError(`${folder} is no project: it has no ${recordFolder}/.`);
  const manifest = JSON.parse(readFileSync(path, 'utf8')) as {
    answers: unknown;
    files: { path: string }[];
  };
  const pristine = manifest.files.map(
    (file) => [file.path, readFileSync(join(folder, recordFolder, 'base', file.path))] as const,
  );
  return {
    answers: checkAll(answersSchema(readCatalog(templatesFolder)), manifest.answers),
    pristine: new Map(pristine),
  };
}

/** Replaces the record of the project. */
export async function writeRecord(folder: string, plan: Plan): Promise<void> {
  rmSync(join(folder, recordFolder), { recursive: true, force: true });
  await writeTree(folder, recordFiles(plan));
}
