import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hasNoDeadFiles } from '../../scripts/matrix/checks/dead-files.js';
import { hasNoBrokenLinks } from '../../scripts/matrix/checks/links.js';
import { namesItsPackages } from '../../scripts/matrix/checks/packages.js';
import { isSameAgain } from '../../scripts/matrix/checks/same-again.js';
import { namesItsScripts } from '../../scripts/matrix/checks/scripts.js';
import { hasNoTraces } from '../../scripts/matrix/checks/traces.js';
import { namesItsVariables } from '../../scripts/matrix/checks/variables.js';
import { repositoryFolder } from '../../scripts/matrix/child.js';
import { smallest } from '../../scripts/matrix/combinations.js';
import { emit } from '../../scripts/matrix/emit.js';
import { pairsIn, pairwise } from '../../scripts/matrix/pairwise.js';
import { reading } from '../../scripts/matrix/standard.js';
import { readCatalog } from '../../src/catalog/read-catalog.js';
import { templatesFolder } from '../../src/package-root.js';

/** The matrix must find faults: each one here is planted into a correct service. */
const catalog = readCatalog(templatesFolder);
const combination = smallest(catalog);
let folder: string;

beforeAll(async () => {
  folder = await emit(combination, join(repositoryFolder, 'playground/matrix-finds'));
});

afterAll(() => rmSync(join(folder, '..'), { recursive: true, force: true }));

const look = () => ({ catalog, combination, folder });

function plant(path: string, text: string): void {
  appendFileSync(join(folder, path), text);
}

test('a sound service has none of these faults', async () => {
  expect(namesItsPackages(look())).toBeUndefined();
  expect(hasNoDeadFiles(look())).toBeUndefined();
  expect(hasNoBrokenLinks(look())).toBeUndefined();
  expect(namesItsScripts(look())).toBeUndefined();
  expect(await namesItsVariables(look())).toBeUndefined();
});

test('a service that is not what its templates say is found', async () => {
  expect(await isSameAgain(look())).toBeUndefined();
  writeFileSync(join(folder, 'src/fault.ts'), '');
  expect(await isSameAgain(look())).toBe('not the same when emitted again: src/fault.ts');
  rmSync(join(folder, 'src/fault.ts'));
});

test('an import that only this repository can resolve is found', () => {
  writeFileSync(join(folder, 'src/a.ts'), "import fs from 'fs-extra';\nexport const a = fs;\n");
  writeFileSync(join(folder, 'src/b.ts'), "export { test } from 'vitest';\n");
  expect(namesItsPackages(look())).toBe(
    'src/a.ts imports fs-extra, which is not in dependencies\n' +
      'src/b.ts imports vitest, which is not in dependencies',
  );
  for (const path of ['src/a.ts', 'src/b.ts']) rmSync(join(folder, path));
});

test('unused files, and code of src/ that only a test uses, are found', () => {
  writeFileSync(join(folder, 'src/dead.ts'), 'export const dead = 1;\n');
  writeFileSync(join(folder, 'src/dead.test.ts'), "import { dead } from './dead.js';\n");
  writeFileSync(join(folder, 'test/dead.ts'), '');
  expect(hasNoDeadFiles(look())).toBe('nobody uses src/dead.ts\nnobody uses test/dead.ts');
  for (const path of ['src/dead.ts', 'src/dead.test.ts', 'test/dead.ts'])
    rmSync(join(folder, path));
});

test.each([
  ['its name', 'registrationForm'],
  ['a route', 'POST /register'],
  ['a variable', 'REGISTRATION=off'],
  ['an error code', "refuse('USER_EXISTS')"],
])('a trace of a layer that was not chosen is found: %s', (_, trace) => {
  writeFileSync(join(folder, 'src/trace.ts'), `// ${trace}\n`);
  expect(hasNoTraces(look())).toContain('src/trace.ts:1');
  rmSync(join(folder, 'src/trace.ts'));
});

test('what the contract always has does not count as a trace, whatever its name', () => {
  writeFileSync(join(folder, 'src/trace.ts'), '// isTotpEnabled\n');
  expect(hasNoTraces(look())).toBeUndefined();
});

test('a variable that nothing reads and a link that leads nowhere are found', async () => {
  plant('.env.example', 'LEFT_OVER=1\n');
  plant('README.md', '[nowhere](docs/nowhere.md)\n');
  expect(await namesItsVariables(look())).toBe('nothing reads LEFT_OVER');
  expect(hasNoBrokenLinks(look())).toBe('README.md: docs/nowhere.md');
});

test('a script that the README does not name, and one that is not there, are found', () => {
  const path = join(folder, 'package.json');
  const text = readFileSync(path, 'utf8');
  writeFileSync(path, text.replace('"check":', '"look":'));
  expect(namesItsScripts(look())).toBe(
    'the scripts of README.md lack look\nREADME.md names scripts that are not there: check',
  );
  writeFileSync(path, text);
});

test('a wrong type and a line that is not formatted are found', async () => {
  writeFileSync(join(folder, 'test/fault.ts'), 'export const fault: string = 1\n');
  const problems = await Promise.all(reading.map((check) => check(look())));
  expect(problems.join('\n')).toMatch(/test\/fault\.ts.*TS2322/);
  expect(problems.join('\n')).toMatch(/test\/fault\.ts format/);
  rmSync(join(folder, 'test/fault.ts'));
});

test('a pairwise selection has every pair that is possible, and is small', () => {
  const factors = ['x', 'y', 'z', 'w'].map((name) => ({ name, levels: ['a', 'b', 'c'] }));
  const isPossible = ({ x, y }: Record<string, string>) => !(x === 'a' && y === 'b');
  const first = { x: 'a', y: 'a', z: 'a', w: 'a' };
  const chosen = pairwise(factors, isPossible, [first]);
  expect(chosen[0]).toEqual(first);
  expect(chosen.every(isPossible)).toBe(true);
  // Six pairs of factors with nine pairs of levels each, minus the impossible one.
  expect(new Set(chosen.flatMap(pairsIn)).size).toBe(6 * 9 - 1);
  expect(chosen.length).toBeLessThanOrEqual(16);
});
