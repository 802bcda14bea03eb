import { mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Files, readFiles, writeFiles } from '../support/files.js';
import { layer } from '../support/small-package.js';
import { olderTemplates, upgradableProject } from '../support/upgradable.js';

const plain = 'export const plain = 1;\n';

function withFiles(files: Files): Files {
  const below = Object.entries(files).map(([path, text]) => [`base/files/${path}`, text]);
  return { ...without(olderTemplates, 'src/http/plain.ts'), ...Object.fromEntries(below) };
}

function without(files: Files, path: string): Files {
  return Object.fromEntries(Object.entries(files).filter(([each]) => !each.endsWith(path)));
}

/** The steps of an upgrade in which the template moves files. */
async function stepsAfter(
  older: Files,
  newer: Files,
  renamed: Record<string, string>,
  team: Files,
): Promise<string[]> {
  const about = { title: 'Base', group: 'base', yours: ['src/app.ts'] };
  const project = await upgradableProject({
    older: withFiles(older),
    newer: { ...withFiles(newer), ...layer('base', { ...about, renamed }) },
  });
  writeFiles(project.root, team);
  const { stdout } = await project.run(['upgrade', '--json']);
  return JSON.parse(stdout).nextSteps;
}

describe('a file that the template moves', () => {
  test('is reported for each of the team’s files that names it, by line', async () => {
    const steps = await stepsAfter(
      { 'src/http/plain.ts': plain },
      { 'src/http/deep/simple.ts': plain },
      { 'src/http/deep/simple.ts': 'src/http/plain.ts' },
      {
        'src/app.ts': "import { plain } from './http/plain.js';\n",
        'src/lines.ts': "const one = 1;\nexport * from './http/plain.js';\nconst two = 2;\n",
        'src/http/mine.ts': "import './plain.js';\nimport './own.js';\nlog('./plain.js');\n",
        'test/mine.test.ts': `vi.mock('../src/http/plain.js', async (original) => ({
  ...(await vi.importActual<typeof import('../src/http/plain.js')>('../src/http/plain.js')),
}));
const later = () => import(
  "../src/http/plain.js"
);
new URL('../src/http/plain.ts', import.meta.url);
require.resolve('../src/http/plain.js');
const said = '../src/http/plain.js';
declare module '../src/http/plain.js' {
}
`,
        'node_modules/x/index.js': "import '../../src/http/plain.js';\n",
      },
    );
    const told = (path: string, lines: number[], to: string, from: string) =>
      lines.map((line) => `in ${path}:${line} write '${to}' instead of '${from}'`);
    const [now, before] = ['../src/http/deep/simple.js', '../src/http/plain.js'];
    expect([...steps].sort()).toEqual(
      [
        ...told('src/app.ts', [1], './http/deep/simple.js', './http/plain.js'),
        ...told('src/lines.ts', [2], './http/deep/simple.js', './http/plain.js'),
        ...told('src/http/mine.ts', [1], './deep/simple.js', './plain.js'),
        ...told('test/mine.test.ts', [1, 2, 5, 8, 10], now, before),
        ...told('test/mine.test.ts', [7], now.replace('.js', '.ts'), before.replace('.js', '.ts')),
      ].sort(),
    );
  });

  test('finds what the team has imported in it from where it was', async () => {
    const text = `${plain}one();\ntwo();\nthree();\n`;
    const steps = await stepsAfter(
      { 'src/http/plain.ts': text },
      { 'src/deep/er/plain.ts': text },
      { 'src/deep/er/plain.ts': 'src/http/plain.ts' },
      {
        'src/http/plain.ts': `import { own } from './own.js';\n${text}`,
        'src/http/own.ts': 'export const own = 1;\n',
      },
    );
    expect(steps).toEqual([
      "in src/deep/er/plain.ts:1 write '../../http/own.js' instead of './own.js'",
    ]);
  });

  test('is reported where an alias of the team names it, and so is one that is removed', async () => {
    const gone = { 'src/http/gone.ts': 'export {};\n', 'src/types.ts': 'export {};\n' };
    const about = { title: 'Base', group: 'base', removed: Object.keys(gone) };
    const renamed = { 'src/http/simple.ts': 'src/http/plain.ts' };
    const project = await upgradableProject({
      older: withFiles({ 'src/http/plain.ts': plain, ...gone }),
      newer: {
        ...withFiles({ 'src/http/simple.ts': plain }),
        ...layer('base', { ...about, renamed }),
      },
    });
    writeFiles(project.root, {
      'src/a.ts': "import { plain } from '#http/plain.js';\nimport '@/http/gone';\n",
      'src/b.ts': "import '#types.js';\nimport '@mine/types';\nimport '#other/http/gone2.js';\n",
      'test/b.test.ts': "vi.mock('@app/http/plain.js');\nconst said = '#http/plain.js';\n",
    });
    const { stdout } = await project.run(['upgrade', '--json']);
    expect(JSON.parse(stdout).nextSteps).toEqual([
      'change src/a.ts:1, which imports src/http/plain.ts: that is now src/http/simple.ts',
      'change src/a.ts:2, which imports the removed src/http/gone.ts',
      'change src/b.ts:1, which imports the removed src/types.ts',
      'change test/b.test.ts:1, which imports src/http/plain.ts: that is now src/http/simple.ts',
    ]);
  });

  test('takes its folder along for who names that', async () => {
    const steps = await stepsAfter(
      { 'src/http/plain.ts': plain, 'src/http/other.ts': 'export {};\n' },
      { 'src/web/plain.ts': plain, 'src/web/other.ts': 'export {};\n' },
      { 'src/web/plain.ts': 'src/http/plain.ts', 'src/web/other.ts': 'src/http/other.ts' },
      { 'test/mine.ts': "const all = new URL('../src/http/', import.meta.url);\n" },
    );
    expect(steps).toEqual(["in test/mine.ts:1 write '../src/web/' instead of '../src/http/'"]);
  });
});

test('a new file finds what the team has moved in whatever way it names it', async () => {
  const files = { 'src/http/plain.ts': plain, 'src/http/other.ts': 'export {};\n' };
  const fresh = (folder: string) => `vi.mock('${folder}/plain.js');
const actual = await vi.importActual<typeof import('${folder}/plain.js')>('${folder}/plain.js');
const [one, two] = [import('${folder}/plain.js'), import('${folder}/other.js')];
const child = new URL('${folder}/plain.ts', import.meta.url);
const all = new URL('${folder}/', import.meta.url);
`;
  const project = await upgradableProject({
    older: withFiles(files),
    newer: withFiles({ ...files, 'test/fresh.test.ts': fresh('../src/http') }),
  });
  mkdirSync(join(project.root, 'lib'));
  renameSync(join(project.root, 'src/http'), join(project.root, 'lib/web'));
  expect((await project.run(['upgrade'])).exitCode).toBe(0);
  expect(readFiles(project.root)['test/fresh.test.ts']).toBe(fresh('../lib/web'));
});
