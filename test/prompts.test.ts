import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Files, readFiles } from './support/files.js';
import { keys, openScreen } from './support/pty.js';
import { templatesWithTongues } from './support/small-package.js';
import { smallWorld } from './support/small-world.js';

const { enter, down, space, back, interrupt, leave } = keys;
const quietly = ['--no-install', '--no-git'];

function person(args: string[] = [], templates?: Files) {
  const { cwd, bin } = smallWorld(templates);
  return { cwd, screen: openScreen([...args, ...quietly], { cwd, bin }) };
}

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
    await screen.type('How do people sign in?', space, enter);
    await screen.type('Create it?', back);
    await screen.type('How do people sign in?', space, enter);
    await screen.type('In which tongues?', space, enter);
    await screen.type('Create it?', enter);
    expect(await screen.exitCode).toBe(0);
    expect(answersIn(join(cwd, 'made'))).toMatchObject({ wordTongues: ['greek'] });
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
    await screen.type('Create it?', down, down, enter);
    await screen.type('Which HTTP framework?\n│  ● Plain', down, enter);
    await screen.type('Framework        Rich');
    await screen.type('Create it?\n│  ● Yes', enter);
    expect(await screen.exitCode).toBe(0);
    expect(answersIn(join(cwd, 'made'))).toMatchObject({ framework: 'rich' });
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
    await screen.type('knock and river exclude each other.', enter);
    expect(screen.text()).not.toContain('Yes');
    await screen.type('Where should the project go?', interrupt);
    expect(await screen.exitCode).toBe(130);
    expect(readFiles(cwd)).toEqual({});
  });

  test('a folder that will not do is told at once', async () => {
    const { screen } = person();
    await screen.type('Where should the project go?', 'con', enter);
    await screen.type('is the name of a device on Windows', interrupt);
    expect(await screen.exitCode).toBe(130);
  });

  test.each([
    ['Ctrl-C', interrupt],
    ['Escape', leave],
  ])('%s at a question leaves nothing and exits 130', async (_, key) => {
    const { cwd, screen } = person();
    await screen.type('Where should the project go?', enter);
    await screen.type('Which HTTP framework?', key);
    expect(await screen.exitCode).toBe(130);
    expect(screen.text()).toContain('Cancelled. Nothing was written.');
    expect(readFiles(cwd)).toEqual({});
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
    ] as const) {
      const screen = openScreen([...args, 'made', ...quietly], { cwd, bin, env });
      await screen.type('Which HTTP framework?', interrupt);
      await screen.exitCode;
      // biome-ignore lint/suspicious/noControlCharactersInRegex: colors are escape sequences
      expect(screen.raw()).not.toMatch(/\u001b\[3\dm/);
    }
  });
});
