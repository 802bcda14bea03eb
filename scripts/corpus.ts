import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withTable } from '../test/corpus/corpus-table.js';
import { repositoryFolder } from './matrix/child.js';

/** Writes the table of the corpus to docs/upgrade.md; `test/corpus.test.ts` checks it against what really happens. */
const page = join(repositoryFolder, 'docs/upgrade.md');
writeFileSync(page, withTable(readFileSync(page, 'utf8')));
