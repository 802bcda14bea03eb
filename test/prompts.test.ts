import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Files, readFiles, writeFiles } from './support/files.js';
import { person, quietly } from './support/person.js';
import { keys, openScreen } from './support/pty.js';
import {
  layer,
  smallTemplates,
  templatesWithDoors,
  templatesWithTongues,
} from './support/small-package.js';
import { smallWorld } from './support/small-world.js';

const { enter, down, space, back, interrupt } = keys;

const longHint =
  'extraordinarily long explanations of everything that newcomers unaccustomed to terminals appreciate';
const longTemplates: Files = {
  ...smallTemplates,
  ...layer('features/word', {
    title: 'Word',
    hint: longHint,
    group: 'method',
    default: true,
    order: 1,
  }),
};

function answersIn(folder: string) {
  const manifest = readFiles(folder)['.create-auth-service/manifest.json'] ?? '{}';
  return JSON.parse(manifest).answers;
}

describe('questions', () => {
  test('Enter alone takes every default', async () => {
    const { cwd, screen } = person();
    await screen.type('Where should the project go?', enter);
    await screen.type('Which HTTP framework?', enter);
    await screen.type('Which database?', enter);
    await screen.type('How do people sign in?', enter);
    await screen.type('Which features?', enter);
    await screen.type('Create it?', enter);
    expect(await screen.exitCode).toBe(0);
    expect(screen.text()).toContain('Created my-auth with 5 files.');
    expect(answersIn(join(cwd, 'my-auth'))).toMatchObject({
      framework: 'plain',
      database: 'lake',
      methods: ['word', 'knock', 'ring'],
      features: ['guests', 'house-rules'],
    });
  });

  test('only what flags leave open is asked, with what each choice brings', async () => {
    const flags = ['--database', 'lake', '--features', 'none', '--framework', 'plain'];
    const { cwd, screen } = person(['made', ...flags]);
    await screen.type('How do people sign in?', space);
    expect(screen.text()).toContain('a secret word');
    await screen.type('How do people sign in?', enter);
    await screen.type('Create it?', enter);
    expect(await screen.exitCode).toBe(0);
    expect(screen.text()).not.toContain('Which database?');
    expect(answersIn(join(cwd, 'made'))).toMatchObject({ methods: ['knock', 'ring'] });
  });

  test("a layer's own question follows the choice of that layer", async () => {
    const flags = ['made', '--framework', 'plain', '--database', 'lake', '--features', 'none'];
    const { cwd, screen } = person(flags, templatesWithTongues);
    await screen.type('How do people sign in?', enter);
    await screen.type('In which tongues?', back);
    await screen.type('How do people sign in?\n│  ◼ ', space, enter);
    await screen.type('Create it?', back);
    await screen.type('How do people sign in?\n│  ◻ ', space, enter);
    await screen.type('In which tongues?', space, enter);
    await screen.type('Create it?', enter);
    expect(await screen.exitCode).toBe(0);
    expect(answersIn(join(cwd, 'made'))).toMatchObject({ wordTongues: ['greek'] });
  });

  test('what a flag says about a method that is not chosen is refused, or said once that is known', async () => {
    const flags = ['made', '--framework', 'plain', '--database', 'lake', '--features', 'none'];
    const both = [...flags.slice(0, 3), '--word-tongues', 'latin', '--methods', 'knock'];
    const refused = person(both, templatesWithTongues).screen;
    expect(await refused.exitCode).toBe(1);
    expect(refused.text()).toContain(
      'Tongues: word is not chosen.\nChoose word, or leave out --word-tongues.',
    );
    const { screen } = person([...flags, '--word-tongues', 'latin'], templatesWithTongues);
    await screen.type('How do people sign in?', space, enter);
    await screen.type('wordTongues is left out: it needs word, which is not chosen.');
    await screen.type('Create it?', enter);
    expect(await screen.exitCode).toBe(0);
  });

  test('Shift+Tab goes back to the question before', async () => {
    const { cwd, screen } = person(['made', '--methods', 'word', '--features', 'none']);
    await screen.type('Which HTTP framework?', enter);
    await screen.type('Which database?', back);
    await screen.type('Which HTTP framework?\n│  ● Plain', down, enter);
    await screen.type('Which database?\n│  ● Lake', enter);
    await screen.type('Create it?', enter);
    expect(await screen.exitCode).toBe(0);
    expect(answersIn(join(cwd, 'made'))).toMatchObject({ framework: 'rich' });
  });

  test('the summary can be changed before it is confirmed', async () => {
    const { cwd, screen } = person(['made', '--methods', 'word', '--features', 'none']);
    await screen.type('Which HTTP framework?', enter);
    await screen.type('Which database?', enter);
    await screen.type('Create it?', down, down, down, enter);
    await screen.type('Which HTTP framework?\n│  ● Plain', down, enter);
    await screen.type('Framework        Rich');
    await screen.type('Create it?\n│  ● Yes', enter);
    expect(await screen.exitCode).toBe(0);
    expect(answersIn(join(cwd, 'made'))).toMatchObject({ framework: 'rich' });
  });

  test('the name can be changed, and the directory stays', async () => {
    const { cwd, screen } = person(['made', '--methods', 'word', '--features', 'none']);
    await screen.type('Which HTTP framework?', enter);
    await screen.type('Which database?', enter);
    await screen.type('Create it?', down, down, enter);
    await screen.type('What is the project called?', 'a:b');
    await screen.type('The name "a:b" contains ":".', '\u007f'.repeat(3), 'My Auth', enter);
    await screen.type('Name             My Auth');
    await screen.type('the package is named my-auth.');
    await screen.type('Create it?\n│  ● Yes', enter);
    expect(await screen.exitCode).toBe(0);
    expect(answersIn(join(cwd, 'made'))).toMatchObject({ name: 'My Auth' });
  });

  test('Shift+Tab leads from the summary to the last question, and from a change to the summary', async () => {
    const { screen } = person(['made', '--methods', 'word', '--features', 'none']);
    await screen.type('Which HTTP framework?', enter);
    await screen.type('Which database?', enter);
    await screen.type('Create it?', back);
    await screen.type('Which database?\n│  ● Lake', down, enter);
    await screen.type('Create it?\n│  ● Yes', down, enter);
    await screen.type('Where should the project go?', back);
    await screen.type('Create it?\n│  ● Yes', enter);
    expect(await screen.exitCode).toBe(0);
    expect(screen.text()).toContain('Database         River');
  });

  test('an impossible choice is explained and can be changed', async () => {
    const { cwd, screen } = person(['made', '--framework', 'plain', '--features', 'none']);
    await screen.type('Which database?', down, enter);
    await screen.type('How do people sign in?', down, ' ', enter);
    await screen.type('Knock and River exclude each other. Leave out one of them.', back);
    await screen.type('Which database?\n│  ○ Lake', '\u001b[A', enter);
    await screen.type('How do people sign in?', interrupt);
    expect(await screen.exitCode).toBe(130);
    expect(screen.text().match(/Cancelled/g)).toHaveLength(1);
    expect(readFiles(cwd)).toEqual({});
  });

  test('an unusable folder is reported as it is typed, until it is usable', async () => {
    const { cwd, screen } = person(['--methods', 'word', '--features', 'none']);
    await screen.type('Where should the project go?', 'con');
    await screen.type('is the name of a device on Windows', enter);
    await screen.type('is the name of a device on Windows', 'certs');
    await screen.until(() => !screen.text().includes('device on Windows'), 'no problem');
    await screen.type('concerts', enter);
    await screen.type('Which HTTP framework?', enter);
    await screen.type('Which database?', enter);
    await screen.type('Create it?', enter);
    expect(await screen.exitCode).toBe(0);
    expect(existsSync(join(cwd, 'concerts'))).toBe(true);
  });

  test('an unusable choice is explained while it is chosen, in the words of the questions', async () => {
    const flags = ['made', '--framework', 'plain', '--database', 'lake'];
    const { screen } = person(flags, templatesWithDoors);
    await screen.type('How do people sign in?', space);
    await screen.type(
      'Ring needs Word or Knock: a ring opens no door. Choose Word or Knock too, or leave it out.',
      enter,
    );
    await screen.quiet();
    expect(screen.text()).not.toContain('Which features?');
    await screen.type('How do people sign in?', down, space, enter);
    await screen.type('Which features?\n│  ◻ Guests', space);
    await screen.type('Guests needs Word: no guest could enter. Choose Word too', space, enter);
    await screen.type('Create it?', enter);
    expect(await screen.exitCode).toBe(0);
    expect(screen.text()).not.toContain('to --methods');
  });

  test('what a choice brings is shown below it: files, packages, variables', async () => {
    const { screen } = person(['made', '--framework', 'plain', '--database', 'lake'], {
      ...smallTemplates,
      ...layer(
        'features/word',
        { title: 'Word', hint: 'a secret word', group: 'method', default: true, order: 1 },
        { dependencies: { bcrypt: '^6.0.0', cookie: '^1.0.0' } },
      ),
      'features/word/files/src/word.ts': 'export const word = 1;\n',
      'features/word/env.example': '# Its length.\nWORD_LENGTH=8\n',
    });
    await screen.type('a secret word. 1 file; packages bcrypt, cookie; variable WORD_LENGTH');
    await screen.type('How do people sign in?', enter);
    await screen.type('│  Needs word', interrupt);
    expect(await screen.exitCode).toBe(130);
  });

  test.each([{ ACCESSIBLE: '' }, { ACCESSIBLE: '1' }])(
    'no word is cut at 40 columns: %j',
    async (env) => {
      const { cwd, bin } = smallWorld(longTemplates);
      const screen = openScreen(quietly, { cwd, bin, env, columns: 40 });
      for (const question of ['Where should', 'Which HTTP', 'Which database']) {
        await screen.type(question, enter);
      }
      await screen.type('How do people');
      await screen.quiet();
      const words = screen.text().split(/[^\w-]+/);
      for (const word of longHint.split(' ')) expect(words).toContain(word);
      await screen.type('How do people', enter);
      await screen.type('Which features', enter);
      await screen.type('Create it?', interrupt);
      expect(await screen.exitCode).toBe(130);
      for (const line of screen.text().split('\n')) expect(line.length).toBeLessThanOrEqual(40);
    },
  );

  test('a screen reader gets plain lines, answered by lines', async () => {
    const { cwd, bin } = smallWorld(templatesWithDoors);
    const env = { ACCESSIBLE: '1' };
    const screen = openScreen(['made', '--framework', 'plain', ...quietly], { cwd, bin, env });
    await screen.type('Enter for Lake:', 'back', enter);
    await screen.type(
      'back\n\n1. Lake (selected)\n2. River\n\nWhich database?\nA number',
      '7',
      enter,
    );
    await screen.type('"7" is not one of the numbers.', '2', enter);
    await screen.type('Numbers separated by commas', '3', enter);
    await screen.type(
      'Ring needs Word or Knock: a ring opens no door. Choose Word or Knock too',
      '1, 3',
      enter,
    );
    await screen.type('Which features?', 'none', enter);
    await screen.type('Create it?', enter);
    expect(await screen.exitCode).toBe(0);
    expect(answersIn(join(cwd, 'made'))).toMatchObject({
      database: 'river',
      methods: ['word', 'ring'],
      features: [],
    });
    expect(screen.text()).toMatch(/^1, 3\n.*\nnone$/ms);
    const asked = screen.raw().split('Creating the project.')[0];
    // biome-ignore lint/suspicious/noControlCharactersInRegex: nothing is drawn twice or in color
    const escapes = asked?.match(/\u001b\[\d*[A-HJKf]|\u001b\[3\dm/g) ?? [];
    // Readline itself clears the line that is typed.
    expect(escapes.filter((each) => !/\[(\d*[GJ]|K)$/.test(each))).toEqual([]);
  });

  test('a question is followed by what will be done: with --dry-run nothing is created', async () => {
    const { cwd, screen } = person([
      'made',
      '--dry-run',
      '--methods',
      'word',
      '--features',
      'none',
    ]);
    await screen.type('Which HTTP framework?', enter);
    await screen.type('Which database?', enter);
    await screen.type('Create it?', enter);
    expect(await screen.exitCode).toBe(0);
    expect(screen.text()).toContain('Nothing was written.');
    expect(screen.text()).not.toContain('Creating the project.');
    expect(readFiles(cwd)).toEqual({});
  });

  test('going back is offered where there is a question before', async () => {
    const { screen } = person(['made', '--methods', 'word', '--features', 'none']);
    await screen.type('Which HTTP framework?');
    await screen.quiet();
    expect(screen.text()).not.toContain('Shift+Tab');
    await screen.type('Which HTTP framework?', enter);
    await screen.type('Which database?');
    await screen.type('Shift+Tab goes back', interrupt);
    expect(await screen.exitCode).toBe(130);
  });

  test('the files in the way are listed, a line each', async () => {
    const { cwd, screen } = person();
    writeFiles(cwd, { 'one.txt': '', 'two.txt': '' });
    await screen.type('Where should the project go?', '.');
    await screen.type(
      '. is not empty:\n     one.txt\n     two.txt\n   Choose another folder',
      interrupt,
    );
    expect(await screen.exitCode).toBe(130);
  });

  test('nothing is asked once everything is given', async () => {
    const { cwd, screen } = person(['made', '--yes']);
    expect(await screen.exitCode).toBe(0);
    expect(screen.text()).not.toContain('?');
    expect(existsSync(join(cwd, 'made'))).toBe(true);
  });

  test('--no-color and NO_COLOR print without colors', async () => {
    const { cwd, bin } = smallWorld();
    for (const [args, env] of [
      [['--no-color'], {}],
      [[], { NO_COLOR: '1' }],
      [['--no-color'], { FORCE_COLOR: '1' }],
      [[], { NO_COLOR: '1', FORCE_COLOR: '1' }],
    ] as const) {
      const screen = openScreen([...args, 'made', ...quietly], { cwd, bin, env });
      await screen.type('Which HTTP framework?', interrupt);
      await screen.exitCode;
      // biome-ignore lint/suspicious/noControlCharactersInRegex: colors are escape sequences
      expect(screen.raw()).not.toMatch(/\u001b\[3\dm/);
    }
  });
});
