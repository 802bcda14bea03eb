import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { mermaid } from '../../scripts/imports/mermaid.js';
import { readImports } from '../../scripts/imports/read-imports.js';
import { withMarkedPart } from '../../scripts/marked-part.js';
import { repositoryFolder } from '../../scripts/matrix/child.js';
import { largest } from '../../scripts/matrix/combinations.js';
import { readCatalog } from '../../src/catalog/read-catalog.js';
import { templatesFolder } from '../../src/package-root.js';
import { planFromTemplates } from '../../src/plan/plan-project.js';
import { writeTree } from '../../src/project/write-tree.js';
import { scratchFolder } from '../support/cli.js';
import { writeFiles } from '../support/files.js';

test('npm run size', async () => {
  const { exitCode, all } = await execa('npm', ['run', 'size', '--', '--check'], {
    cwd: repositoryFolder,
    all: true,
    reject: false,
  });
  expect(exitCode, all).toBe(0);
});

test('npm run imports: none upwards or in a cycle, and docs/service.md draws them', async () => {
  const folder = scratchFolder();
  const catalog = readCatalog(templatesFolder);
  await writeTree(folder, planFromTemplates(catalog, largest(catalog)).files);
  const { all, problems } = await readImports(folder);
  expect(problems).toEqual([]);
  const page = join(repositoryFolder, 'docs/service.md');
  const drawn = withMarkedPart(readFileSync(page, 'utf8'), 'picture', mermaid(all));
  await expect(drawn, 'npm run picture:service draws it anew').toMatchFileSnapshot(page);
});

test('an import upwards, a cycle and a folder without a place are found; types may go upwards', async () => {
  const folder = scratchFolder();
  writeFiles(folder, {
    'src/users/low.ts': "import { a } from '../session/a.js';\nexport const low = a;\n",
    'src/users/low.test.ts': "import '../session/b.js';\n",
    'src/db/types.ts': "import type { B } from '../session/b.js';\nexport type Row = B;\n",
    'src/session/a.ts': "import { b } from './b.js';\nexport const a = () => b;\n",
    'src/session/b.ts':
      "import { a } from './a.js';\nexport type B = 1;\nexport const b = () => a;\n",
    'src/odd.ts': "import { low } from './users/low.js';\nexport const odd = low;\n",
  });
  const { all, problems } = await readImports(folder);
  expect(all).toContainEqual({ from: 'src/odd.ts', to: 'src/users/low.ts' });
  expect(problems).toEqual([
    'src/odd.ts has no place in scripts/imports/order.ts',
    expect.stringContaining('a cycle: src/session/'),
    'upwards: src/users/low.ts → src/session/a.ts',
  ]);
});
