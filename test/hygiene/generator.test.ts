import { basename } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { fullCombinations } from '../../scripts/matrix/combinations.js';
import { chooseLayers } from '../../src/catalog/choose-layers.js';
import { readCatalog } from '../../src/catalog/read-catalog.js';
import { emittedPath, readFragments } from '../../src/catalog/read-sources.js';
import { templatesFolder } from '../../src/package-root.js';
import { packPath } from '../../src/plan/base-pack.js';
import { mergeComposeFiles } from '../../src/plan/compose-yaml.js';
import { manifestPath } from '../../src/plan/manifest.js';
import { placesOf, repositoryFiles, textOf } from '../support/repository.js';

const catalog = readCatalog(templatesFolder);
const generator = repositoryFiles('src');

test('no method, framework or database that is still to come is known by name either', () => {
  const toCome =
    /\b(fastify|hono|postgres|mysql|magic-?link|sms|totp|oauth|passkey|webhook|google|github)s?\b/i;
  expect(placesOf(toCome, generator)).toEqual([]);
});

test('only src/project writes to the disk', () => {
  const writing = /\b(write|append|mkdir|rmdir|rm|rename|copy|cp|link|symlink|unlink)\w*Sync\b/;
  const elsewhere = placesOf(writing, generator).filter((place) => !/^src\/project\//.test(place));
  expect(elsewhere).toEqual([]);
});

test('a plan is made without the disk, the clock or chance', () => {
  const plan = repositoryFiles('src/plan');
  expect(plan.length).toBeGreaterThan(5);
  const impure = /node:(fs|os|child_process)|\bDate\b|Math\.random|random(Bytes|UUID)/;
  expect(placesOf(impure, plan)).toEqual([]);
});

test('every variable of an env.example is explained', () => {
  const examples = repositoryFiles('templates').filter((path) => basename(path) === 'env.example');
  expect(examples.length).toBeGreaterThan(1);
  const blocks = examples.flatMap((path) =>
    textOf(path)
      .trim()
      .split(/\n{2,}/),
  );
  expect(blocks.filter((block) => !/^# \S/.test(block))).toEqual([]);
});

test('every rendered list of code is one that an upgrade merges by line', () => {
  const named = catalog.flatMap((layer) => layer.lists);
  const rendered = repositoryFiles('templates')
    .filter((path) => path.endsWith('.ts.ejs'))
    .map((path) => emittedPath(path.replace(/^.*?\/(files|when\/[^/]+)\//, '')));
  expect(rendered.length).toBeGreaterThan(3);
  expect(rendered.filter((path) => !named.includes(path))).toEqual([]);
});

test('a project tells git what not to do with the two files of its record', () => {
  const text = textOf('templates/base/files/_gitattributes');
  for (const path of [packPath, manifestPath]) {
    expect(text).toMatch(new RegExp(`^${path} .*-text`, 'm'));
  }
});

test('compose files are in block style, and what they merge to is what their data merge to', () => {
  for (const answers of fullCombinations(catalog)) {
    const fragments = readFragments(chooseLayers(catalog, answers));
    const data = fragments.map(({ compose }) => parse(compose ?? '{}'));
    expect(parse(mergeComposeFiles(fragments) ?? '{}')).toEqual(data.reduce(mergedData));
  }
});

function mergedData(one: unknown, other: unknown): unknown {
  if (Array.isArray(one) && Array.isArray(other)) return [...new Set([...one, ...other])];
  if (!isRecord(one) || !isRecord(other)) return other;
  const keys = [...new Set([...Object.keys(one), ...Object.keys(other)])];
  return Object.fromEntries(
    keys.map((key) => [
      key,
      key in one && key in other ? mergedData(one[key], other[key]) : (one[key] ?? other[key]),
    ]),
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
