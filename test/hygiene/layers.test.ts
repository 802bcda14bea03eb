import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import semver from 'semver';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { pairwiseCombinations } from '../../scripts/matrix/combinations.js';
import { nameWord } from '../../scripts/matrix/layer-words.js';
import { chooseLayers } from '../../src/catalog/choose-layers.js';
import { readCatalog } from '../../src/catalog/read-catalog.js';
import { readFragments, readSources } from '../../src/catalog/read-sources.js';
import { templatesFolder } from '../../src/package-root.js';
import { tablesIn } from '../../src/upgrade/data-migrations.js';
import { isCode, placesOf, repositoryFiles } from '../support/repository.js';

const catalog = readCatalog(templatesFolder);
const named = catalog.filter(({ group }) => group !== 'base');
const lists = repositoryFiles('templates').filter((path) => path.endsWith('.ejs'));

test('the generator knows no layer by name: adding one is adding a folder', () => {
  const generator = repositoryFiles('src', 'bin').filter(
    (path) => isCode(path) || path.endsWith('.js'),
  );
  for (const { name } of named) expect(placesOf(nameWord(name).pattern, generator)).toEqual([]);
});

test('lists have loops over names and no conditions', () => {
  const allowed = [
    /<%[-=] [a-zA-Z.]+ %>/g,
    /<% for \(const (?:[a-zA-Z]+|\[[a-zA-Z, ]+\]) of [a-zA-Z.]+(\('[a-z./-]+'\))?\) \{ -?%>/g,
    /<% \} -?%>/g,
    // The beginning of a sentence within a line.
    /<%[-=] [a-zA-Z.]+\.toLowerCase\(\) %>/g,
  ];
  const others = lists.flatMap((path) => {
    const text = readFileSync(join(templatesFolder, '..', path), 'utf8');
    const rest = allowed.reduce((left, pattern) => left.replace(pattern, ''), text);
    return rest.includes('<%') ? [`${path}: ${/<%.*/.exec(rest)?.[0]}`] : [];
  });
  expect(others).toEqual([]);
});

test('only lists are rendered: no other template has a tag in it', () => {
  const verbatim = repositoryFiles('templates').filter((path) => !path.endsWith('.ejs'));
  expect(placesOf(/<%/, verbatim)).toEqual([]);
});

test('what a layer needs another one gives; a method gives it to others, or says why it needs one', () => {
  const given = new Set(catalog.flatMap(({ gives }) => gives));
  const missing = catalog.flatMap(({ needs }) =>
    Object.keys(needs).filter((each) => !given.has(each)),
  );
  expect(missing).toEqual([]);
  const silent = catalog.filter(
    ({ group, gives, needs }) =>
      group === 'method' && gives.length + Object.keys(needs).length === 0,
  );
  expect(silent.map(({ name }) => name)).toEqual([]);
});

test.each(catalog)('what $name says of itself is true', (layer) => {
  const brought = new Set(readSources([...catalog]).map(({ path }) => path));
  const own = new Set(readSources([layer]).map(({ path }) => path));
  const merged = ['package.json', 'compose.yaml', '.env.example'];
  const others = readSources(catalog.filter((other) => other !== layer)).map(({ path }) => path);
  expect(layer.replaces.filter((path) => !own.has(path) || !others.includes(path))).toEqual([]);
  const paths = [...layer.yours, ...layer.lists, ...Object.keys(layer.renamed)];
  expect(paths.filter((path) => !brought.has(path) && !merged.includes(path))).toEqual([]);
  expect(layer.removed.filter((path) => brought.has(path))).toEqual([]);
  const names = [...layer.requires, ...layer.conflicts, ...layer.comesWith];
  expect(names.filter((name) => !catalog.some((other) => other.name === name))).toEqual([]);
  const overlays = join(layer.folder, 'when');
  const overlaid = existsSync(overlays) ? readdirSync(overlays) : [];
  expect(overlaid.filter((name) => !catalog.some((other) => other.name === name))).toEqual([]);
});

test('every migration says by name which tables it makes, and takes them back', () => {
  const migrations = readSources([...catalog])
    .filter(({ path }) => path.startsWith('migrations/'))
    .map(({ path, content }) => ({ path, text: content.toString() }));
  expect(migrations.length).toBeGreaterThan(10);
  const unclear = migrations.filter((each) => {
    const calls = each.text.match(/createTable\(/g)?.length ?? 0;
    return tablesIn(each).length !== calls || !each.text.includes('export async function down(');
  });
  expect(unclear.map(({ path }) => path)).toEqual([]);
});

test('every layer is an npm workspace of its own name', () => {
  const names = readFragments([...catalog]).map(({ packageJson }) => JSON.parse(packageJson).name);
  expect(names).toEqual(catalog.map(({ name }) => `@templates/${name}`));
});

test('one version of each dependency, across all layers and the generator', () => {
  const files = [
    ...readFragments([...catalog]).map(({ packageJson }) => packageJson),
    readFileSync(join(templatesFolder, '../package.json'), 'utf8'),
  ];
  const versions = new Map<string, Set<string>>();
  for (const { dependencies = {}, devDependencies = {} } of files.map((text) => JSON.parse(text))) {
    for (const [name, version] of Object.entries({ ...dependencies, ...devDependencies })) {
      versions.set(name, (versions.get(name) ?? new Set()).add(String(version)));
    }
  }
  expect([...versions].filter(([, all]) => all.size > 1)).toEqual([]);
});

const lockFile = z.object({
  packages: z.record(z.string(), z.object({ engines: z.record(z.string(), z.string()).catch({}) })),
});

test('every package of the lock file runs on the oldest Node.js, with the layers’ overrides', () => {
  const root = join(templatesFolder, '..');
  const { packages } = lockFile.parse(
    JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')),
  );
  const newer = Object.entries(packages).filter(
    ([, { engines }]) => !semver.satisfies('20.19.0', engines.node ?? '*'),
  );
  expect(newer.map(([path]) => path)).toEqual([]);
  const { overrides } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const ofLayers = readFragments([...catalog]).map(
    ({ packageJson }) => JSON.parse(packageJson).overrides,
  );
  expect(Object.assign({}, ...ofLayers)).toEqual(overrides);
});

test('every layer can be chosen, alone or with what it requires', () => {
  const chosen = new Set(
    pairwiseCombinations(catalog).flatMap((answers) => chooseLayers(catalog, answers)),
  );
  expect(catalog.filter((layer) => !chosen.has(layer)).map(({ name }) => name)).toEqual([]);
  // Seconds of computing, on a machine that may be busy with other test files.
}, 120_000);
