import { describe, expect, test } from 'vitest';
import { lines, upgrade, upgradeFile } from '../support/upgrade-story.js';

describe('line ends, byte order mark and the end of the last line', () => {
  const base = lines('one', 'two', 'three', 'four', 'five');
  const theirs = lines('one', 'two', 'three', 'four', 'FIVE');

  test.each([
    ['of a Windows checkout', base.replaceAll('\n', '\r\n'), theirs.replaceAll('\n', '\r\n')],
    ['of an editor that adds a mark', `\uFEFF${base}`, `\uFEFF${theirs}`],
    ['of an editor that ends no last line', base.trimEnd(), theirs.trimEnd()],
  ])('%s are no edit, and stay', async (_, yours, expected) => {
    const { outcomes, text } = await upgradeFile('a', base, yours, theirs);
    expect(outcomes).toEqual({ a: 'updated' });
    expect(text('a')).toBe(expected);
  });

  test('stay in a merge and around markers', async () => {
    const yours = `\uFEFF${base.replace('one', 'ONE').replaceAll('\n', '\r\n').trimEnd()}`;
    const merged = await upgradeFile('a', base, yours, theirs);
    expect(merged.text('a')).toBe('\uFEFFONE\r\ntwo\r\nthree\r\nfour\r\nFIVE');
    const clash = await upgradeFile('a', base, yours, base.replace('one', '1'));
    expect(clash.text('a')?.match(/(?<!\r)\n/g)).toBeNull();
    expect(clash.text('a')).toContain('=======\r\n1\r\n>>>>>>> create-auth-service 0.2.0\r\n');
  });

  test('a byte order mark within a line is a character like any other', async () => {
    const yours = base.replace('two', 't\uFEFFwo');
    const merged = await upgradeFile('a', base, yours, theirs);
    expect(merged.text('a')).toBe(theirs.replace('two', 't\uFEFFwo'));
  });

  test('bytes that are no UTF-8 come through a merge', async () => {
    const yours = Buffer.concat([Buffer.from([0xe9, 0x0a]), Buffer.from(base.slice(4))]);
    const { after } = await upgradeFile('a', base, yours, theirs);
    const expected = Buffer.concat([Buffer.from([0xe9, 0x0a]), Buffer.from(theirs.slice(4))]);
    expect(after.get('a')?.content).toEqual(expected);
  });
});

describe('code', () => {
  const base = lines(
    "import { a } from './a.js';",
    '',
    'export const sum = a(1, 2);',
    '',
    'end();',
  );

  test('that was only formatted counts as unedited', async () => {
    const yours = lines(
      'import {a} from "./a.js"',
      'export const sum = a(',
      '  1,',
      '  2,',
      ')',
      'end()',
    );
    const theirs = base.replace('end()', 'finish()');
    const { outcomes, text, notes } = await upgradeFile('src/a.ts', base, yours, theirs);
    expect(outcomes).toEqual({ 'src/a.ts': 'updated' });
    expect(text('src/a.ts')).toBe(theirs);
    expect(notes).toEqual(['you had only formatted it: it is in the format of the template again']);
  });

  test('that was only formatted without semicolons does too', async () => {
    const text = lines('export function one() {', '  let [a] = [1];', '  {}', '  [a] = [2];', '}');
    const yours = lines('export function one() {', '  let [a] = [1]', '  {}', '  ;[a] = [2]', '}');
    const { outcomes } = await upgradeFile('src/a.ts', text, yours, `// New.\n${text}`);
    expect(outcomes).toEqual({ 'src/a.ts': 'updated' });
  });

  test('that lost a comment does not', async () => {
    const commented = `// Why.\n${base}`;
    const { text } = await upgradeFile('a.ts', commented, base, commented.replace('end()', 'go()'));
    expect(text('a.ts')).toBe(base.replace('end()', 'go()'));
  });

  test('that merges to no program is a conflict, shown between what both have in common', async () => {
    const yours = base
      .replace('./a.js', './a.js')
      .replace('\n\nexport', "\nimport { b } from './b.js';\n\nexport");
    const theirs = `import { b } from './other.js';\n${base}`;
    const { outcomes, notes, text } = await upgradeFile('src/a.ts', base, yours, theirs);
    expect(outcomes).toEqual({ 'src/a.ts': 'conflict' });
    expect(notes).toEqual(['each line merges, but the result would not be a valid program']);
    expect(text('src/a.ts')).toContain(
      lines('=======', "import { b } from './other.js';", "import { a } from './a.js';"),
    );
    expect(text('src/a.ts')?.endsWith(lines('', 'export const sum = a(1, 2);', '', 'end();'))).toBe(
      true,
    );
  });

  test('that was broken before is merged as it is', async () => {
    const yours = base.replace('end();', 'end((;');
    const theirs = `// New.\n${base}`;
    const { outcomes } = await upgradeFile('src/a.ts', base, yours, theirs);
    expect(outcomes).toEqual({ 'src/a.ts': 'merged' });
  });
});

describe('a list', () => {
  const base = lines("import { a } from './a.js';", '', 'export const all = {', '  a,', '};');
  const listed = (name: string) =>
    base
      .replace('\n\n', `\nimport { ${name} } from './${name}.js';\n\n`)
      .replace('  a,\n', `  a,\n  ${name},\n`);
  const upgradeList = (yours: string, theirs: string) =>
    upgrade({
      from: { 'src/list.ts': base },
      to: { 'src/list.ts': theirs },
      edits: { 'src/list.ts': yours },
      owners: { 'src/list.ts': 'list' },
    });

  test('has what both sides added at one place, in order', async () => {
    const { outcomes, text } = await upgradeList(listed('m'), listed('c'));
    expect(outcomes).toEqual({ 'src/list.ts': 'merged' });
    expect(text('src/list.ts')).toBe(
      lines(
        ...['a', 'c', 'm'].map((name) => `import { ${name} } from './${name}.js';`),
        ...['', 'export const all = {', '  a,', '  c,', '  m,', '};'],
      ),
    );
  });

  test('lacks what either side removed beside an addition of the other', async () => {
    const without = lines('', 'export const all = {', '};');
    const { text, pending } = await upgradeList(listed('m'), without);
    expect(pending).toEqual([]);
    expect(text('src/list.ts')).toBe(
      lines("import { m } from './m.js';", '', 'export const all = {', '  m,', '};'),
    );
  });

  test('conflicts only where both changed one line', async () => {
    const yours = base.replace('  a,', '  a: wrapped(a),');
    const theirs = base.replace('  a,', '  a: a(),');
    const { outcomes, text } = await upgradeList(yours, theirs);
    expect(outcomes).toEqual({ 'src/list.ts': 'conflict' });
    expect(text('src/list.ts')).toContain('<<<<<<< yours\n  a: wrapped(a),\n');
  });

  test('of ignored files and of variables keeps both additions at its end', async () => {
    const { text } = await upgrade({
      from: { '.gitignore': 'dist\n', '.env.example': '# One.\nONE=1\n' },
      to: { '.gitignore': 'dist\ndata\n', '.env.example': '# One.\nONE=1\n\n# Two.\nTWO=2\n' },
      edits: { '.gitignore': 'dist\nmine\n', '.env.example': '# One.\nONE=1\n\n# Mine.\nMINE=\n' },
    });
    expect(text('.gitignore')).toBe('dist\nmine\ndata\n');
    expect(text('.env.example')).toBe('# One.\nONE=1\n\n# Mine.\nMINE=\n\n# Two.\nTWO=2\n');
  });

  test('of variables does not get one that the team has already', async () => {
    const [one, three] = ['# One.\nONE=1\n', '\n# Three.\nTHREE=\n'];
    const mine = `# Our two.\nTWO=\n\n${one}`;
    const { outcomes, text, again } = await upgrade({
      from: { '.env.example': one },
      to: { '.env.example': `${one}\n# Signs two.\n# secret: hex32\nTWO=\n${three}` },
      edits: { '.env.example': mine },
    });
    expect(outcomes).toEqual({ '.env.example': 'merged' });
    expect(text('.env.example')).toBe(mine + three);
    expect(again).toEqual([]);
  });

  test.each([
    ['an old', '# Ports.\nHOST=\nPORT=3000\n', '# Ports.\nPORT=3000\n'],
    [
      'a new',
      '# Ports.\nPORT=3000\n\n# Mail.\nHOST=\nTTL=1\n',
      '# Ports.\nPORT=3000\n\n# Mail.\nTTL=1\n',
    ],
  ])(
    'of variables keeps the comment that %s one shares with one of the team',
    async (_, to, expected) => {
      const mine = '# Our host.\nHOST=\n\n';
      const { text } = await upgrade({
        from: { '.env.example': '# Ports.\nPORT=3000\n' },
        to: { '.env.example': to },
        edits: { '.env.example': `${mine}# Ports.\nPORT=3000\n` },
      });
      expect(text('.env.example')).toBe(mine + expected);
    },
  );
});

test('what is binary on either side stays, and the new one lies beside', async () => {
  const { outcomes, text, pending } = await upgradeFile('a.png', 'a\0', 'mine\0', 'new\0');
  expect(outcomes).toEqual({ 'a.png': 'beside' });
  expect([text('a.png'), text('a.png.template')]).toEqual(['mine\0', 'new\0']);
  expect(pending).toEqual(['a.png']);
});
