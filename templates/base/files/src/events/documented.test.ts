import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { eventCases } from '../../test/every-event.js';

interface Row {
  event: string;
  /** The fields of the event's data; one that ends in `?` may be absent. */
  fields: string[];
  when: string;
}

const ROW = /^\| `(identity\.[\w.]+)` \| (.*?) \| (.*?) \|$/gm;

/** The rows of the tables of events in the docs: one for each thing that brings the event about. */
function rowsOfDocs(folder = 'docs'): Row[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md'))
    .flatMap((path) => [...readFileSync(join(folder, path), 'utf8').matchAll(ROW)])
    .flatMap(([, event = '', data = '', causes = '']) =>
      codesIn(causes).map((when) => ({ event, fields: codesIn(data), when })),
    );
}

function codesIn(cell: string): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);
}

const cases = eventCases
  .flatMap((of) => Object.entries(of))
  .flatMap(([event, causes]) =>
    Object.entries(causes).map(([when, act]) => ({ event, when, act })),
  );
const rows = rowsOfDocs();

test.each(rows)('$event: $when', async ({ event, fields, when }) => {
  const found = cases.find((each) => each.event === event && each.when === when);
  const service = await found?.act();
  const published = (await service?.events())?.findLast((each) => each.event === event);
  expect(published, 'the event was published').toBeDefined();
  const names = Object.keys(published?.data ?? {});
  const certain = fields.filter((field) => !field.endsWith('?'));
  expect(names).toEqual(expect.arrayContaining(certain));
  expect(fields.map((field) => field.replace('?', ''))).toEqual(expect.arrayContaining(names));
});

test('what brings an event about is in the docs', () => {
  const documented = rows.map(({ event, when }) => `${event}: ${when}`);
  expect(documented).toEqual(
    expect.arrayContaining(cases.map(({ event, when }) => `${event}: ${when}`)),
  );
  expect(new Set(documented).size, 'each once').toBe(documented.length);
});

test('each event that a feature declares is in the docs', () => {
  const declared = readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((path) => /[\\/]events\.ts$/.test(path))
    .flatMap((path) => [
      ...readFileSync(join('src', path), 'utf8').matchAll(/^ {2}'(identity[\w.]+)':/gm),
    ])
    .map(([, event]) => event);
  expect(rows.map(({ event }) => event)).toEqual(expect.arrayContaining(declared));
});
