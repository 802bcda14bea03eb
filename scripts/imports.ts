import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { readCatalog } from '../src/catalog/read-catalog.js';
import { templatesFolder } from '../src/package-root.js';
import { planFromTemplates } from '../src/plan/plan-project.js';
import { writeTree } from '../src/project/write-tree.js';
import { mermaid } from './imports/mermaid.js';
import { readImports } from './imports/read-imports.js';
import { withMarkedPart } from './marked-part.js';
import { repositoryFolder } from './matrix/child.js';
import { largest } from './matrix/combinations.js';

/**
 * Fails if something in the `src/` of an emitted service imports upwards at run time, or in a cycle; `imports/order.ts`
 * says what is up and down.
 */
const command = new Command('imports')
  .argument('[folder]', 'of an emitted service; the fullest is emitted if absent')
  .option('--picture', 'draws the imports into docs/service.md')
  .parse();
const [given] = command.args;
const page = join(repositoryFolder, 'docs/service.md');

const folder = given ?? mkdtempSync(join(tmpdir(), 'service-'));
try {
  if (!given) await emitFullest(folder);
  const { all, problems } = await readImports(folder);
  const text = readFileSync(page, 'utf8');
  const drawn = given ? text : withMarkedPart(text, 'picture', mermaid(all));
  if (command.opts().picture) writeFileSync(page, drawn);
  else if (drawn !== text) problems.push('docs/service.md: npm run picture:service draws it anew');
  for (const problem of problems) console.error(problem);
  console.log(`${all.length} imports, ${problems.length} problems`);
  if (problems.length > 0) process.exitCode = 1;
} finally {
  if (!given) rmSync(folder, { recursive: true });
}

async function emitFullest(target: string): Promise<void> {
  const catalog = readCatalog(templatesFolder);
  const { files } = await planFromTemplates(catalog, largest(catalog));
  await writeTree(target, files);
}
