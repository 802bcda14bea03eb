import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ended } from './support/cli.js';
import { readFiles, writeFiles } from './support/files.js';
import { keys, openProgram, openScreen } from './support/pty.js';
import { layer, smallTemplates, templatesWithTongues } from './support/small-package.js';
import { smallWorld } from './support/small-world.js';

/** The answers that a command line leads to, or why it is refused. */
async function answersOf(...args: string[]) {
  const { run } = smallWorld();
  const dryly = ['made', '--yes', '--dry-run', '--json'];
  const { stdout, stderr, exitCode } = await run([...dryly, ...args]);
  return exitCode === 0 ? JSON.parse(stdout).answers : { refused: stderr };
}

describe('answers', () => {
  test('the defaults are the first framework and database, all methods and all features', async () => {
    expect(await answersOf()).toEqual({
      name: 'made',
      framework: 'plain',
      database: 'lake',
      methods: ['word', 'knock', 'ring'],
      features: ['guests', 'house-rules'],
      packageManager: 'npm',
    });
  });

  test('the package manager is the one that runs the command', async () => {
    const env = { npm_config_user_agent: 'pnpm/10.1.0 npm/? node/v24.0.0 linux x64' };
    const { stdout } = await smallWorld().run(['--yes', '--dry-run', '--json'], { env });
    expect(JSON.parse(stdout).answers.packageManager).toBe('pnpm');
  });

  test('flags answer, in whatever order the values are named', async () => {
    const answers = await answersOf(
      ...['--framework', 'rich', '--database', 'lake', '--methods', 'ring, word'],
      ...['--features', 'none', '--package-manager', 'bun', '--name', 'Other'],
    );
    expect(answers).toEqual({
      name: 'Other',
      framework: 'rich',
      database: 'lake',
      methods: ['word', 'ring'],
      features: [],
      packageManager: 'bun',
    });
  });

  test('--no-<feature> leaves one out', async () => {
    expect(await answersOf('--no-house-rules')).toMatchObject({ features: ['guests'] });
  });

  test('a file answers, and a flag beats it', async () => {
    const { cwd, run } = smallWorld();
    const answers = { framework: 'rich', methods: ['word'], features: [] };
    writeFiles(cwd, { 'auth.json': JSON.stringify(answers) });
    const args = ['--config', 'auth.json', '--framework', 'plain', '--yes', '--dry-run', '--json'];
    expect(JSON.parse((await run(args)).stdout).answers).toMatchObject({
      framework: 'plain',
      methods: ['word'],
      features: [],
    });
  });

  test.each([
    ['--methods knock', 'guests is left out: it needs word, which is not chosen.'],
    ['--methods knock', 'wordTongues is left out: it needs word, which is not chosen.'],
    ['--database river', 'knock is left out: it cannot be combined with river.'],
    ['--no-house-rules', undefined],
  ])(
    'what only %s makes impossible in a file is left out, and reported',
    async (flag, sentence) => {
      const { cwd, run } = smallWorld(templatesWithTongues);
      const answers = {
        database: 'lake',
        methods: ['word', 'knock'],
        features: ['guests', 'house-rules'],
        wordTongues: ['latin'],
      };
      writeFiles(cwd, { 'auth.json': JSON.stringify(answers) });
      const args = ['made', '--config', 'auth.json', '--yes', '--dry-run', '--json'];
      const { exitCode, stdout } = await run([...args, ...flag.split(' ')]);
      expect(exitCode).toBe(0);
      if (sentence) expect(JSON.parse(stdout).remarks).toContain(sentence);
      else
        expect(JSON.parse(stdout)).toMatchObject({
          remarks: [],
          answers: { features: ['guests'] },
        });
      expect(JSON.parse((await run(args)).stdout)).toMatchObject({ remarks: [], answers });
    },
  );

  test('what is impossible in a file alone is refused, naming the key of the file', async () => {
    const { cwd, run } = smallWorld(templatesWithTongues);
    const answers = { methods: ['knock'], features: [], wordTongues: ['latin'] };
    writeFiles(cwd, { 'auth.json': JSON.stringify(answers) });
    for (const more of [[], ['--framework', 'rich']]) {
      const { exitCode, stderr } = await run(['made', '--config', 'auth.json', '--yes', ...more]);
      expect({ exitCode, stderr }).toEqual({
        exitCode: 1,
        stderr:
          'Tongues: word is not chosen.\nChoose word, or leave out wordTongues in auth.json.\n',
      });
    }
  });

  test('the answers of a manifest are taken from standard input unchanged', async () => {
    const answers = await answersOf('--framework', 'rich', '--methods', 'word', '--name', 'first');
    const again = ['--config', '-', '--dry-run', '--json'];
    const { stdout } = await smallWorld().run(again, { input: JSON.stringify(answers) });
    expect(JSON.parse(stdout)).toMatchObject({ answers, directory: 'first' });
  });

  test.skipIf(process.platform === 'win32')('standard input may be slow', async () => {
    const { cwd, bin } = smallWorld();
    const line = '(sleep 1; echo "{}") | "$@" --config - --yes --dry-run';
    const screen = openProgram('sh', ['-c', line, 'sh', process.execPath, bin], { cwd });
    expect(await screen.exitCode).toBe(0);
    expect(screen.text()).toContain('Nothing was written.');
  });

  test('SIGTERM ends it while it waits for standard input', async () => {
    const { cwd, bin } = smallWorld();
    const child = spawn(process.execPath, [bin, '--config', '-', '--yes'], { cwd });
    const end = ended(child);
    // More than a pipe holds: somebody reads it.
    await new Promise((taken) => child.stdin.write(' '.repeat(2_000_000), taken));
    child.kill();
    expect(await end).toMatchObject({ exitCode: 143 });
    expect(readFiles(cwd)).toEqual({});
  });

  test('after answers that were typed there is nothing to read further ones from', async () => {
    const { cwd, bin } = smallWorld();
    const screen = openScreen(['made', '--config', '-'], { cwd, bin });
    await screen.quiet();
    screen.write('{}\n');
    await screen.quiet();
    screen.write(keys.end);
    expect(await screen.exitCode).toBe(1);
    expect(screen.text()).toContain('These answers are missing');
  });

  test.each([
    [['--framework', 'plan'], '--framework: there is no "plan".', 'Did you mean plain?'],
    [['--methods', 'word,knok'], '--methods: there is no "knok".', 'Did you mean knock?'],
    [['--features', 'gusts'], '--features: there is no "gusts".', 'Did you mean guests?'],
    [['--methods', 'none'], '--methods: choose at least one.', ''],
    [['--frameworc', 'plain'], "Unknown option '--frameworc'", 'Did you mean --framework?'],
    [['--no-gests'], "Unknown option '--no-gests'", 'Did you mean --no-guests?'],
    [
      ['--no-word'],
      "Unknown option '--no-word'",
      'with --methods, for example: --methods knock,ring',
    ],
    [['--package-manager', 'nmp'], '--package-manager: there is no "nmp".', 'Did you mean npm?'],
    [['--name', 'a:b'], 'The name "a:b" contains ":".', ''],
    [['--features', 'guests', '--no-guests'], '--no-guests leaves it out.', ''],
  ])('%j is refused with what could have been meant', async (args, message, hint) => {
    const { cwd, run } = smallWorld();
    const { exitCode, stderr, stdout } = await run(['made', '--yes', ...args]);
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    expect(stderr).toContain(message);
    expect(stderr).toContain(hint);
    expect(readFiles(cwd)).toEqual({});
  });

  test.each([
    ['{"framwork": "plain"}', 'there is no answer named "framwork"', 'Did you mean framework?'],
    ['{"framework": "plain"', 'is not JSON', ''],
    ['{"methods": "word"}', '"methods" must be a list of names, such as ["word", "knock"].', ''],
    ['{"methods": null}', '"methods" must be a list of names, such as ["word", "knock"].', ''],
    ['{"features": [true]}', '"features" must be a list of names, such as ["guests", ', ''],
    ['{"framework": ["plain"]}', '"framework" must be one name, such as "plain".', ''],
    ['{"packageManager": 1}', '"packageManager" must be one name, such as "npm".', ''],
    ['{"name": {}}', '"name" must be a string, such as "my-auth".', ''],
    ['[]', 'the answers must be a JSON object', ''],
    ['null', 'the answers must be a JSON object', ''],
  ])('the file %s is refused', async (text, message, hint) => {
    const { stderr, exitCode } = await smallWorld().run(['--yes', '--config', '-'], {
      input: text,
    });
    expect(exitCode).toBe(1);
    expect(stderr).toContain('standard input');
    expect(stderr).toContain(message);
    expect(stderr).toContain(hint);
  });

  test('a file without a name is refused by its flag', async () => {
    const { refused } = await answersOf('--config=');
    expect(refused).toContain('--config "" does not exist.');
  });

  test('a feature whose method is left out is explained', async () => {
    const { refused } = await answersOf('--methods', 'knock', '--features', 'guests');
    expect(refused).toBe(
      'guests needs word, which is not chosen.\nAdd word to --methods, or leave out guests.\n',
    );
  });

  test.each([
    ['--methods knock', 'guests is left out: it needs word, which is not chosen.'],
    ['--methods knock --no-house-rules', 'guests is left out: it needs word, which is not chosen.'],
    ['--database river', 'knock is left out: it cannot be combined with river.'],
  ])('with %s a default that does not fit is left out, and reported', async (flags, sentence) => {
    const { run } = smallWorld();
    const args = ['--yes', '--no-install', '--no-git', ...flags.split(' ')];
    const { exitCode, stdout } = await run(['made', ...args]);
    expect([exitCode, stdout]).toEqual([0, expect.stringContaining(sentence)]);
    const { stdout: json } = await run(['other', '--json', '--dry-run', ...args]);
    expect(JSON.parse(json).remarks).toEqual([sentence]);
    expect(JSON.stringify(JSON.parse(json).answers)).not.toContain(sentence.split(' ')[0]);
  });

  test('what needs something that was left out is left out too', async () => {
    const { run } = smallWorld({
      ...smallTemplates,
      ...layer('features/garden', {
        title: 'Garden',
        group: 'feature',
        default: true,
        requires: ['guests'],
      }),
    });
    const { stdout } = await run(['made', '--yes', '--methods', 'knock', '--dry-run', '--json']);
    expect(JSON.parse(stdout).answers.features).toEqual(['house-rules']);
    expect(JSON.parse(stdout).remarks).toHaveLength(2);
  });

  test('what a choice needs of the same question is added and reported, unless it is left out by name', async () => {
    const { run } = smallWorld({
      ...smallTemplates,
      ...layer('features/garden', { title: 'Garden', group: 'feature', requires: ['house-rules'] }),
    });
    const args = ['made', '--yes', '--no-install', '--no-git', '--features', 'garden'];
    const sentence = 'house-rules is added: garden needs it.';
    const { stdout } = await run([...args, '--dry-run', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({
      answers: { features: ['garden', 'house-rules'].sort() },
      remarks: [sentence],
    });
    expect((await run([...args, '--dry-run'])).stdout).toContain(sentence);
    const refused = await run([...args, '--no-house-rules']);
    expect(refused).toMatchObject({ exitCode: 1, stdout: '' });
    expect(refused.stderr).toContain('house-rules');
  });

  test('what only a feature needs that is left out is not added', async () => {
    const { cwd, run } = smallWorld({
      ...smallTemplates,
      ...layer('features/garden', { title: 'Garden', group: 'feature', requires: ['house-rules'] }),
    });
    writeFiles(cwd, { 'answers.json': '{"features": ["garden"]}' });
    const args = [
      'made',
      '--config',
      'answers.json',
      '--no-garden',
      '--yes',
      '--dry-run',
      '--json',
    ];
    const { stdout } = await run(args);
    expect(JSON.parse(stdout)).toMatchObject({ answers: { features: [] }, remarks: [] });
  });

  test('list names what can be chosen, and not what is added automatically', async () => {
    const { run } = smallWorld({
      ...smallTemplates,
      ...layer('features/soil', { title: 'Soil', group: 'internal' }),
      ...layer('features/garden', {
        title: 'Garden',
        group: 'feature',
        requires: ['house-rules', 'soil'],
      }),
    });
    const { stdout } = await run(['list']);
    expect(stdout).toMatch(/^Frameworks\n {2}plain/);
    expect(stdout).toMatch(/garden .*\(needs house-rules\)$/m);
    expect(stdout).not.toContain('soil');
  });

  test('layers that exclude each other are explained', async () => {
    const { refused } = await answersOf('--database', 'river', '--methods', 'knock');
    expect(refused).toContain('knock and river exclude each other.');
  });

  test('without a terminal open answers are named and nothing is written', async () => {
    const { cwd, run } = smallWorld();
    const { exitCode, stderr } = await run(['--framework', 'rich', '--no-install', '--no-git']);
    expect(exitCode).toBe(1);
    expect(stderr).toBe(
      'These answers are missing, and there is no terminal to ask for them: the directory, --database, --methods, --features.\n' +
        'Give them, or take the defaults with --yes.\n',
    );
    expect(readFiles(cwd)).toEqual({});
  });

  test('without a terminal nothing is asked once everything is given', async () => {
    const { cwd, run } = smallWorld();
    const args = ['--framework=rich', '--database=lake', '--methods=word', '--features=none'];
    const { exitCode } = await run(['made', ...args, '--no-install', '--no-git']);
    expect(exitCode).toBe(0);
    expect(existsSync(join(cwd, 'made/package.json'))).toBe(true);
  });
});
