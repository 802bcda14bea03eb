import { describe, expect, test } from 'vitest';
import { json, lines, upgradeFile } from '../support/upgrade-story.js';

test.each([
  ['a.json', lines('{', '  "a": 1,', '  "b": 2,', '  "c": 3', '}'), '"a": "é"', '"c": "→ ok"'],
  ['a.yaml', lines('"a": 1', '"b": 2', '"c": 3'), '"a": "é"', '"c": "→ ok"'],
])(
  '%s that is not UTF-8 keeps its bytes, and gets those of the template',
  async (path, base, mine, new_) => {
    const yours = Buffer.from(base.replace('"a": 1', mine), 'latin1');
    const { after } = await upgradeFile(path, base, yours, base.replace('"c": 3', new_));
    const bytes = Buffer.from(new_).toString('latin1');
    expect(after.get(path)?.content.toString('latin1')).toBe(
      yours.toString('latin1').replace('"c": 3', bytes),
    );
  },
);

describe('JSON', () => {
  test.each([
    ['in a list', '{ "l": ["a"] }', '{ "l": [\n    // ours\n    "a"\n] }', '{ "l": ["a", "b"] }'],
    [
      'above the next key',
      '{ "a": 1, "b": 2, "c": 3 }',
      '{ "a": 1, "b": 2,\n// ours\n"c": 4 }',
      '{ "a": 1, "c": 3 }',
    ],
    ['above the last key', '{ "a": 1, "b": 2 }', '{ "a": 5, // ours\n"b": 2 }', '{ "a": 1 }'],
    ['in an empty object', '{ "p": {} }', '{ "p": { // ours\n} }', '{ "p": { "a": 1 } }'],
    ['at an only key', '{ "p": { "a": 1 } }', '{ "p": { "a": 1 /* ours */ } }', '{ "p": {} }'],
  ])('asks where a comment of the team would be lost: %s', async (_, base, yours, theirs) => {
    const { text, outcomes } = await upgradeFile('a.json', base, yours, theirs);
    expect(outcomes).toEqual({ 'a.json': 'conflict' });
    expect([text('a.json'), text('a.json.template')]).toEqual([yours, theirs]);
  });

  test('loses a comment that the template drops with its key', async () => {
    const base = lines('{', '  "a": 1,', '  // Why.', '  "b": 2', '}');
    const { text } = await upgradeFile(
      'a.json',
      base,
      base.replace('1', '5'),
      lines('{', '  "a": 1', '}'),
    );
    expect(text('a.json')).toBe(lines('{', '  "a": 5', '}'));
  });

  test('keeps comments, short lists in one line and commas at the end', async () => {
    const base = lines('{', '  "lib": ["a", "b"],', '  "strict": true', '}');
    const yours = lines(
      '{',
      '  // Ours.',
      '  "lib": ["a", "b", "mine"], // why',
      '  "strict": true,',
      '}',
    );
    const theirs = lines(
      '{',
      '  "lib": ["a", "new"],',
      '  "strict": true,',
      '  "paths": {',
      '    "x": ["y"]',
      '  }',
      '}',
    );
    const { text, outcomes } = await upgradeFile('tsconfig.json', base, yours, theirs);
    expect(outcomes).toEqual({ 'tsconfig.json': 'merged' });
    expect(text('tsconfig.json')).toBe(
      lines(
        '{',
        '  // Ours.',
        '  "lib": ["a", "mine", "new"], // why',
        '  "strict": true,',
        '  "paths": {',
        '    "x": ["y"]',
        '  },',
        '}',
      ),
    );
  });

  test('gets a changed object of a list where the old one was', async () => {
    const base = { rules: [{ a: 1 }, { b: 1 }, { c: 1 }] };
    const yours = { rules: [{ a: 1 }, { b: 1 }, { c: 1 }, { mine: 1 }] };
    const theirs = { rules: [{ a: 1 }, { b: 2 }, { c: 1 }] };
    const { text } = await upgradeFile('a.json', json(base), json(yours), json(theirs));
    const expected = { rules: [{ a: 1 }, { b: 2 }, { c: 1 }, { mine: 1 }] };
    expect(JSON.parse(text('a.json') ?? '')).toEqual(expected);
  });

  test('that has a key twice is changed where parsers read it', async () => {
    const yours = lines('{', '  "a": 0,', '  "b": 0,', '  "a": 1,', '  "b": 1,', '  "c": 1', '}');
    const base = json({ a: 1, b: 1, c: 1 });
    const { text, outcomes } = await upgradeFile('a.json', base, yours, json({ a: 2, c: 1 }));
    expect(outcomes).toEqual({ 'a.json': 'merged' });
    expect(text('a.json')).toBe(lines('{', '  "a": 0,', '  "a": 2,', '  "c": 1', '}'));
  });

  test('that cannot be read stays, with the new one beside', async () => {
    const { text, outcomes } = await upgradeFile('a.json', '{}\n', '{ oops\n', '{"a":1}\n');
    expect(outcomes).toEqual({ 'a.json': 'beside' });
    expect([text('a.json'), text('a.json.template')]).toEqual(['{ oops\n', '{"a":1}\n']);
  });
});
