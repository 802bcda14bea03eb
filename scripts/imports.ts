import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readCatalog } from '../src/catalog/read-catalog.js';
import { planFromTemplates } from '../src/plan/plan-project.js';
import { writeTree } from '../src/project/write-tree.js';
import { mermaid } from './imports/mermaid.js';
import { readImports } from './imports/read-imports.js';
import { withMarkedPart } from './marked-part.js';
import { repositoryFolder } from './matrix/child.js';
import { largest } from './matrix/combinations.js';

/**
 * Fails if something in the `src/` of the fullest service imports upwards at run time, or in a cycle; `imports/order.ts`
 * says what is up and down. `--picture` draws the imports into docs/service.md.
 */
const page = join(repositoryFolder, 'docs/service.md');

const folder = mkdtempSync(join(tmpdir(), 'service-'));
try {
  const catalog = readCatalog();
  await writeTree(folder, planFromTemplates(catalog, largest(catalog)).files);
  const { all, problems } = await readImports(folder);
  const text = readFileSync(page, 'utf8');
  const drawn = withMarkedPart(text, 'picture', mermaid(all));
  if (process.argv.includes('--picture')) writeFileSync(page, drawn);
  else if (drawn !== text) problems.push('docs/service.md: npm run picture:service draws it anew');
  for (const problem of problems) console.error(problem);
  console.log(`${all.length} imports, ${problems.length} problems`);
  if (problems.length > 0) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true });
}
