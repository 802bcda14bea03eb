import { expect, test } from 'vitest';
import { restoreLineLayout } from '../../src/upgrade/merge/restore-line-layout.js';
import { repositoryFiles, textOf } from '../support/repository.js';
import { lines, upgradeFile } from '../support/upgrade-story.js';

const base = lines(
  '# Title',
  '',
  '| a | b |',
  '|---|---|',
  '| one | two |',
  '| three | four |',
  '',
  '* roses',
  '* violets',
  '* sugar',
  '',
  '```sh',
  '* not a list',
  '```',
);
/** As Prettier formats it, with one more row and item. */
const yours = lines(
  '# Title',
  '',
  '| a     | b    |',
  '| ----- | ---- |',
  '| one   | two  |',
  '| three | four |',
  '| mine  | too  |',
  '',
  '- roses',
  '- violets',
  '- sugar',
  '- salt',
  '',
  '```sh',
  '* not a list',
  '```',
);

test('a page that the team has formatted and edited merges with what the template changes elsewhere', async () => {
  const theirs = base.replace('| one | two |', '| 1 | 2 |').replace('* roses', '* red roses');
  const { outcomes, text, notes } = await upgradeFile('docs/a.md', base, yours, theirs);
  expect(outcomes).toEqual({ 'docs/a.md': 'merged' });
  expect(text('docs/a.md')).toBe(
    theirs
      .replace('| three | four |\n', '| three | four |\n| mine  | too  |\n')
      .replace('* sugar\n', '* sugar\n- salt\n'),
  );
  expect(notes).toEqual([
    'you had formatted it: it is in the format of the template again, with your changes',
  ]);
});

test('a page that the team has only formatted is unedited, and one with another sample of code is not', async () => {
  const formatted = yours.replace('| mine  | too  |\n', '').replace('- salt\n', '');
  const theirs = base.replace('# Title', '# Another');
  const { outcomes } = await upgradeFile('docs/a.md', base, formatted, theirs);
  expect(outcomes).toEqual({ 'docs/a.md': 'updated' });
  const sample = formatted.replace('* not a list', '- not a list');
  const edited = await upgradeFile('docs/a.md', base, sample, theirs);
  expect(edited.outcomes).toEqual({ 'docs/a.md': 'merged' });
  expect(edited.text('docs/a.md')).toContain('\n- not a list\n');
});

test('what both changed is a conflict, and nothing else', async () => {
  const theirs = base.replace('* violets', '* blue violets');
  const mine = yours.replace('- violets', '- sweet violets');
  const { outcomes, text } = await upgradeFile('docs/a.md', base, mine, theirs);
  expect(outcomes).toEqual({ 'docs/a.md': 'conflict' });
  expect(text('docs/a.md')).toContain(
    '<<<<<<< yours\n- sweet violets\n||||||| create-auth-service 0.1.0\n* violets\n=======\n* blue violets\n>>>>>>>',
  );
  expect(text('docs/a.md')).toContain('* sugar\n- salt\n');
});

test('emphasis and a table within a list count as formatting, text in code does not', async () => {
  const page = lines('* Files marked *yours*, `_a_`:', '', '  | a | b_c_d |', '  |---|---|');
  const formatted = lines(
    '- Files marked _yours_, `_a_`:',
    '',
    '  | a   | b_c_d |',
    '  | --- | ----- |',
  );
  const { outcomes } = await upgradeFile('a.md', page, formatted, `${page}\nNew.\n`);
  expect(outcomes).toEqual({ 'a.md': 'updated' });
  const other = formatted.replace('`_a_`', '`*a*`');
  const edited = await upgradeFile('a.md', page, other, `${page}\nNew.\n`);
  expect(edited.outcomes).toEqual({ 'a.md': 'merged' });
});

test.each([
  ['indentation in a sample', 'a.md', '```yaml\na:\n  b: 1\n```', '```yaml\na:\nb: 1\n```'],
  ['the depth of an item', 'a.md', '- one\n- two', '- one\n  - two'],
  ['blanks in a string', 'a.css', 'a::after { content: "a b" }', 'a::after { content: "a  b" }'],
  [
    'a computed key',
    'a.ts',
    'export const o = { [name]: 1 };',
    "export const o = { ['name']: 1 };",
  ],
])('%s is no formatting', async (_, path, before, mine) => {
  const text = `${before}\n\n\n\n\n`;
  const yours = `${mine}\n\n\n\n\n`;
  const end = path.endsWith('.css') ? '/* new */\n' : '// new\n';
  const merged = await upgradeFile(path, text, yours, text + end);
  expect([merged.outcomes, merged.text(path)]).toEqual([{ [path]: 'merged' }, yours + end]);
});

test('code in a page is kept to the character', () => {
  const code = ['```sh', '* a', '| b |', '```', '* item'];
  const changed = ['```sh', '- a', '|  b  |', '```', '- item'];
  expect(restoreLineLayout('a.md', code, changed)).toEqual([...changed.slice(0, 4), '* item']);
});

test('every page of the templates with a list or a table, formatted and edited by both sides, merges', async () => {
  const pages = repositoryFiles().filter((path) => /^templates\/.*\.md$/.test(path));
  const item = /^(?:\* (?=\w)|\| (?=\w))/m;
  const texts = pages.map(textOf).filter((text) => item.test(text));
  expect(texts.length).toBeGreaterThan(15);
  for (const text of texts) {
    const theirs = text.replace(item, '$&Newly: ');
    const edited = `${text}\nFrom the team.\n`;
    const { outcomes, text: at } = await upgradeFile('a.md', text, prettier(edited), theirs);
    expect(outcomes).toEqual({ 'a.md': 'merged' });
    expect(at('a.md')).toBe(`${theirs}\nFrom the team.\n`);
  }
});

/** List markers and table widths as Prettier has them; code is unchanged. */
function prettier(text: string): string {
  const parts = text.split(/^(```[\s\S]*?^```)/m);
  return parts.map((part, index) => (index % 2 === 1 ? part : formatted(part))).join('');
}

function formatted(part: string): string {
  return part.replace(/^\* /gm, '- ').replace(/^\|.*\|$/gm, (row) =>
    row
      .split('|')
      .map((cell) => (/^-+$/.test(cell.trim()) ? ` ${'-'.repeat(20)} ` : cell.padEnd(22)))
      .join('|')
      .trim(),
  );
}
