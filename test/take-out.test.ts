import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import pLimit from 'p-limit';
import { afterAll, expect, test } from 'vitest';
import { repositoryFolder } from '../scripts/matrix/child.js';
import { largest } from '../scripts/matrix/combinations.js';
import { compilerProblem } from '../scripts/matrix/compiler.js';
import { emit } from '../scripts/matrix/emit.js';
import { readCatalog } from '../src/catalog/read-catalog.js';
import { templatesFolder } from '../src/package-root.js';
import { linkedCopy } from './corpus/linked-copy.js';
import { filesOf, saveEdits, teamProject } from './corpus/team-project.js';
import type { Files } from './support/files.js';

/**
 * As `features.ts` of a service says: "To remove one, delete its lines and its folder." What the compiler reports then
 * is what used the feature: files that import from its folder, and a few other features and tests that use what it
 * contributes, such as `services.settings`. It is never the base, which must work without any feature.
 */
const list = 'src/features.ts';
const mostWithoutImport = 10;
// A type that the compiler cannot infer: infinitely deep, or too wide.
const explosion = /TS(2589|2590|7056)/;

// Within the repository, so that its packages are found from there.
const parent = join(repositoryFolder, 'playground/take-out');
mkdirSync(parent, { recursive: true });
const work = mkdtempSync(join(parent, 'run-'));

afterAll(() => rmSync(work, { recursive: true }));

const onProcessors = pLimit(availableParallelism());

test('every feature can be taken out by hand', async () => {
  const emitted = await emit(largest(readCatalog(templatesFolder)), work);
  const files = filesOf(emitted);
  const names = Object.keys(files).flatMap((path) => {
    const [, name] = /^src\/features\/([^/]+)\/feature\.ts$/.exec(path) ?? [];
    return name ?? [];
  });
  expect(names.length).toBeGreaterThan(10);
  const batches = names.flatMap((_, nth) => (nth % 4 ? [] : [names.slice(nth, nth + 4)]));
  const trials = batches.map((batch) => onProcessors(() => trialsOf(batch, emitted, files)));
  const ended = (await Promise.all(trials)).flat();
  expect(ended.flatMap(({ faults }) => faults)).toEqual([]);
  // Some are used by others, so errors of the compiler do show up here.
  expect(ended.flatMap(({ said }) => namedIn(said)).length).toBeGreaterThan(0);
});

/** Takes out each of these features, and compiles what is left in one run: it reads the libraries once. */
async function trialsOf(names: string[], emitted: string, files: Files) {
  const roots = names.map((name) => `without-${name}`);
  const left = names.map((name, nth) => {
    const root = join(work, roots[nth] ?? '');
    linkedCopy(emitted, root);
    return takeOut(files, root, `src/features/${name}/`);
  });
  const { include }: { include: string[] } = JSON.parse(files['tsconfig.json'] ?? '');
  const together = {
    extends: `./${roots[0]}/tsconfig.json`,
    include: roots.flatMap((root) => include.map((path) => `${root}/${path}`)),
  };
  const configuration = `${roots[0]}.json`;
  writeFileSync(join(work, configuration), JSON.stringify(together));
  const lines = ((await compilerProblem(work, configuration)) ?? '').split('\n');
  return names.map((name, nth) => {
    const start = `${roots[nth]}/`;
    const own = lines.filter((line) => line.startsWith(start));
    const said = own.map((line) => line.slice(start.length)).join('\n');
    rmSync(join(work, start), { recursive: true });
    return { said, faults: faultsIn(said, left[nth] ?? {}, `src/features/${name}/`) };
  });
}

/** Deletes a folder and its lines of the list. @returns what is left */
function takeOut(files: Files, root: string, folder: string): Files {
  const project = teamProject(files);
  for (const path of project.paths()) if (path.startsWith(folder)) project.remove(path);
  const within = new RegExp(
    `^import \\{ (\\w+) \\} from '\\./${folder.slice('src/'.length)}.*\n`,
    'gm',
  );
  const text = project.read(list);
  const gone = [...text.matchAll(within)].map(([, name]) => name);
  const entries = new RegExp(`^ {2}(${gone.join('|')}),\n`, 'gm');
  project.write(list, text.replace(within, '').replace(entries, ''));
  saveEdits(root, project);
  return Object.fromEntries(project.paths().map((path) => [path, project.read(path)]));
}

/** The unexpected errors of a compiler that misses a folder. */
function faultsIn(said: string, left: Files, folder: string): string[] {
  const others = namedIn(said).filter((path) => !importsFrom(folder, path, left[path] ?? ''));
  const ofBase = others.filter((path) => !/^(src\/features|test)\//.test(path));
  return [
    ...ofBase.map((path) => `without ${folder} the base does not compile: ${path}`),
    ...(others.length > mostWithoutImport ? [`without ${folder}: ${others.join()}`] : []),
    ...(explosion.test(said) ? [`without ${folder}: ${said}`] : []),
  ];
}

/** The files in which a compiler reports errors. */
function namedIn(said: string): string[] {
  const complaints = said.matchAll(/^(\S+)\(\d+,\d+\): error/gm);
  return [...new Set([...complaints].map(([, path = '']) => path))];
}

function importsFrom(folder: string, path: string, text: string): boolean {
  const specifiers = [...text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']*)'/g)];
  return specifiers.some(([, specifier = '']) =>
    join(dirname(path), specifier).replaceAll('\\', '/').startsWith(folder),
  );
}
