import { expect, test } from 'vitest';
import { type Files, readFiles, writeFiles } from '../support/files.js';
import { git } from '../support/git.js';
import { madeProject } from '../support/made-project.js';
import { smallTemplates } from '../support/small-package.js';
import { committedProject } from '../support/upgradable.js';

/** A file that the newer release conflicts with. */
const lines = (two: number) =>
  `const one = 1;\nconst two = ${two};\nconst three = 3;\nconst four = 4;\n`;

test('--abort does not undo a change that is pending on another branch', async () => {
  const { run, root } = await committedProject({ 'src/lines.ts': lines(3) });
  const wait = async (branch: string, edits: Files) => {
    git(root, 'checkout', '--quiet', '-b', branch, 'main');
    writeFiles(root, edits);
    expect(await run(['upgrade', '--allow-dirty'])).toMatchObject({ exitCode: 2 });
    git(root, 'add', '--all');
    git(root, 'commit', '--quiet', '--message', branch);
  };
  await wait('one', {});
  await wait('other', { 'src/http/plain.ts': 'export const plain = 3;\n' });
  git(root, 'checkout', '--quiet', 'one');
  const before = readFiles(root);
  const { exitCode, stderr } = await run(['upgrade', '--abort']);
  expect(stderr).toContain('the change was made in another checkout');
  expect(exitCode).toBe(1);
  expect(readFiles(root)).toEqual(before);
  writeFiles(root, { 'src/lines.ts': lines(23) });
  expect(await run(['upgrade', '--continue'])).toMatchObject({ exitCode: 0 });
});

test('--abort does not undo the same change of another branch, whose edits are in the same files', async () => {
  const { run, root } = await committedProject();
  const texts = ['one', 'other'].map((name) => `${lines(3)}const name = '${name}';\n`);
  for (const [nth, text] of texts.entries()) {
    git(root, 'checkout', '--quiet', '-b', `branch-${nth}`, 'main');
    writeFiles(root, { 'src/lines.ts': text });
    git(root, 'commit', '--quiet', '--all', '--message', 'edited');
    expect(await run(['upgrade'])).toMatchObject({ exitCode: 2 });
    git(root, 'add', '--all');
    git(root, 'commit', '--quiet', '--message', 'upgraded');
  }
  git(root, 'checkout', '--quiet', 'branch-0');
  const before = readFiles(root);
  const refused = await run(['upgrade', '--abort']);
  expect(refused.stderr).toContain('the change was made in another checkout');
  expect(readFiles(root)).toEqual(before);
  git(root, 'checkout', '--quiet', '-b', 'later', 'branch-1');
  expect(await run(['upgrade', '--abort'])).toMatchObject({ exitCode: 0 });
  expect(readFiles(root)['src/lines.ts']).toBe(texts[1]);
});

test('two branches with other answers: one record is taken, and the other change is done once more', async () => {
  const project = await madeProject(smallTemplates, ['--features', 'none']);
  const { folder, inside, read } = project;
  project.commit();
  const change = (branch: string, ...args: string[]) => {
    git(folder, 'checkout', '--quiet', '-b', branch);
    return inside(args).then(() => git(folder, 'add', '--all'));
  };
  const main = git(folder, 'branch', '--show-current');
  await change('one', 'add', 'guests');
  git(folder, 'commit', '--quiet', '--message', 'guests');
  git(folder, 'checkout', '--quiet', main);
  await change('other', 'add', 'house-rules');
  git(folder, 'commit', '--quiet', '--message', 'house rules');
  expect(() => git(folder, 'merge', 'one')).toThrow();

  const { stderr } = await inside(['upgrade']);
  expect(stderr).toContain('npx create-auth-service upgrade, add, remove, change\n');
  const [, command = ''] = /: git (restore .*)/.exec(stderr) ?? [];
  git(folder, ...command.split(' '));
  const list = read('src/list.ts');
  writeFiles(folder, {
    'src/list.ts': `${list.match(/.*'guests'.*/)?.[0].replace("'guests',", "'guests','houseRules',")}\n`,
  });
  git(folder, 'add', '--all');
  git(folder, 'commit', '--quiet', '--message', 'merged');
  expect(await inside(['add', 'guests'])).toMatchObject({ exitCode: 0 });
  expect(await inside(['diff', '--check'])).toMatchObject({ exitCode: 0, stdout: '' });
  expect(await inside(['doctor', '--json'])).toMatchObject({ exitCode: 0 });
});
