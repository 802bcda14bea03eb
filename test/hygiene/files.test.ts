import { basename } from 'node:path';
import { expect, test } from 'vitest';
import { isCode, isTest, placesOf, repositoryFiles, textOf } from '../support/repository.js';

const code = repositoryFiles().filter(isCode);
const emitted = repositoryFiles('templates').filter(isCode);
const product = emitted.filter((path) => !isTest(path));

// A longer file has two subjects. Tests are lists of sentences, so they may be longer.
const longestFile = 250;
const longestTest = 500;

test('no file is longer than one subject needs', () => {
  const tooLong = code.filter((path) => {
    const lines = textOf(path).split('\n').length - 1;
    return lines > (isTest(path) ? longestTest : longestFile);
  });
  expect(tooLong).toEqual([]);
});

test('half of the files are read at one glance', () => {
  const lengths = product.map((path) => textOf(path).split('\n').length - 1).sort((a, b) => a - b);
  expect(lengths[Math.floor(lengths.length / 2)]).toBeLessThanOrEqual(80);
});

test('file names are kebab-case and name a subject', () => {
  const odd = code
    .filter((path) => !path.includes('/migrations/'))
    .filter(
      (path) =>
        !/^[a-z0-9]+(-[a-z0-9]+)*((\.isolated)?\.test|\.config)?\.tsx?$/.test(basename(path)),
    );
  const empty = code.filter((path) =>
    /(^|\/)(utils?|helpers?|common|misc|types)(\.ts$|\/)/.test(path),
  );
  expect([...odd, ...empty]).toEqual([]);
});

test.each(['docs', 'templates'])('no two decisions below %s share a number', (folder) => {
  const decisions = repositoryFiles(folder)
    .filter((path) => /(^|\/)docs\/decisions\//.test(path))
    .map((path) => basename(path).slice(0, 4));
  expect(decisions.length).toBeGreaterThan(10);
  expect(new Set(decisions).size).toBe(decisions.length);
});

test('migrations are named by the day and what they make', () => {
  const migrations = emitted.filter((path) => path.includes('/migrations/'));
  expect(migrations.filter((path) => !/^20\d{6}_[a-z0-9_]+\.ts$/.test(basename(path)))).toEqual([]);
});

test('no type is given up and no rule is switched off', () => {
  const givenUp = /\bas any\b|: any\b|<any>|@ts-(ignore|nocheck|expect-error)|\bas never\b/;
  const places = placesOf(
    givenUp,
    code.filter((path) => path !== 'test/hygiene/files.test.ts'),
  );
  expect(
    places.filter((place) => !place.startsWith('templates/base/files/test/client.ts')),
  ).toEqual([]);
  // A rule that is disabled for a line says why.
  expect(placesOf(/biome-ignore (?!\S+: \S)/, code)).toEqual([]);
  expect(placesOf(/biome-ignore/, product)).toEqual([]);
});

// Classes of our own are allowed only where `instanceof` has to recognize a trusted value.
const markers = ['class Html {'];

test('exports have names, and classes only refine those of a library', () => {
  const programs = code.filter((path) => !path.endsWith('.config.ts'));
  expect(placesOf(/^export default/, programs)).toEqual([]);
  const classes = placesOf(/^(export )?(abstract )?class (?!\w+ extends )/, code);
  expect(classes.filter((place) => !markers.some((name) => place.includes(name)))).toEqual([]);
});

test('emitted code reads the time from its one clock', () => {
  const places = placesOf(/Date\.now\(|new Date\(\)|performance\.now/, product);
  // What is copied to front ends has the browser's clock.
  const others = places.filter((place) => !/\/(src\/process\/clock|client\/\S+)\.ts:/.test(place));
  expect(others).toEqual([]);
});

test('templates write `npm run`, which becomes the command of each package manager', () => {
  expect(placesOf(/\bnpm (test|start)\b/, repositoryFiles('templates'))).toEqual([]);
});

test('no TODO is left', () => {
  expect(
    placesOf(
      /\b(TODO|FIXME|XXX|HACK)\b/,
      code.filter((path) => path !== 'test/hygiene/files.test.ts'),
    ),
  ).toEqual([]);
});

test('every English text of a mail has its German one', () => {
  const mails = product.filter((path) => /\b(notice|linkMail|linkLetter)\(/.test(textOf(path)));
  const counts = (language: string) =>
    mails.map((path) => [path, textOf(path).split(new RegExp(`\\b${language}: `)).length - 1]);
  expect(mails.length).toBeGreaterThan(8);
  expect(counts('de')).toEqual(counts('en'));
});
