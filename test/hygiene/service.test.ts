import { execa } from 'execa';
import { expect, test } from 'vitest';
import { readImports } from '../../scripts/imports/read-imports.js';
import { repositoryFolder } from '../../scripts/matrix/child.js';
import { scratchFolder } from '../support/cli.js';
import { writeFiles } from '../support/files.js';

/** Checks of the emitted services that are also scripts. */
const held: [string, ...string[]][] = [['size', '--check'], ['imports']];

test.each(held)('npm run %s', async (script, ...args) => {
  const { exitCode, all } = await execa('npm', ['run', script, '--', ...args], {
    cwd: repositoryFolder,
    all: true,
    reject: false,
  });
  expect(exitCode, all).toBe(0);
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
