import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withTable } from '../test/corpus/corpus-table.js';
import { problemOf, repositoryFolder } from './matrix/child.js';

/** Runs the corpus of team edits; with `--write` it then writes their table to docs/upgrade.md. */
const problem = await problemOf(repositoryFolder, ['vitest', 'run', 'test/corpus', '-t', 'edit']);
if (problem) {
  console.error(problem);
  process.exitCode = 1;
} else if (process.argv.includes('--write')) {
  const page = join(repositoryFolder, 'docs/upgrade.md');
  writeFileSync(page, withTable(readFileSync(page, 'utf8')));
  console.log(`written: ${page}`);
}
