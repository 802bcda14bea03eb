import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  brokenPromises,
  currentRelease,
  type Release,
  releasesFolder,
} from '../../scripts/release/recorded-files.js';
import { readCatalog } from '../../src/catalog/read-catalog.js';
import { templatesFolder } from '../../src/package-root.js';

const catalog = readCatalog(templatesFolder);
const now = await currentRelease(catalog);
const removed = catalog.flatMap((layer) => layer.removed);

test('no released file disappears without a word about where it went', () => {
  const releases = readdirSync(releasesFolder).filter((name) => name.endsWith('.json'));
  expect(releases.length).toBeGreaterThan(0);
  const broken = releases.flatMap((name) => {
    const release = JSON.parse(readFileSync(join(releasesFolder, name), 'utf8')) as Release;
    return brokenPromises(release, now, removed).map((problem) => `${name}: ${problem}`);
  });
  expect(broken).toEqual([]);
});

test('a lost file and a changed migration would be found, a declared loss is none', () => {
  const before: Release = {
    ids: [...now.ids, 'src/lost.ts', 'src/declared.ts'],
    frozen: Object.fromEntries(Object.keys(now.frozen).map((path) => [path, 'another hash'])),
  };
  const problems = brokenPromises(before, now, ['src/declared.ts']);
  expect(problems).toContain(
    'src/lost.ts is gone: say so in "renamed" or "removed" of its layer.json',
  );
  expect(problems).toHaveLength(1 + Object.keys(now.frozen).length);
});
