import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readFiles, readTree, writeFiles } from '../support/files.js';
import { git } from '../support/git.js';
import { packFile } from '../support/pristine-texts.js';
import { olderTemplates, upgradableProject } from '../support/upgradable.js';

async function editedProject() {
  const project = await upgradableProject();
  const before = readTree(project.root);
  writeFiles(project.root, { 'src/app.ts': 'mine\n', 'src/http/plain.ts': 'mine, too\n' });
  rmSync(join(project.root, 'src/lines.ts'));
  return { ...project, before, runOlder: runner(project) };
}

/** Without the mode. */
const textOf = (file = '') => file.replace(/^\d+ /, '');

function runner({ run, bins }: Awaited<ReturnType<typeof upgradableProject>>) {
  return (args: string[], options: { cwd?: string } = {}) =>
    run(args, { bin: bins.older, ...options });
}

test('a named file gets its pristine text back, the others stay', async () => {
  const { runOlder, root } = await editedProject();
  const { exitCode, stdout } = await runOlder(['regenerate', 'plain.ts'], {
    cwd: join(root, 'src/http'),
  });
  expect(stdout).toContain('src/http/plain.ts');
  expect(exitCode).toBe(0);
  const files = readFiles(root);
  expect(files['src/http/plain.ts']).toBe('export const plain = 1;\n');
  expect(files['src/app.ts']).toBe('mine\n');
  expect(files['src/lines.ts']).toBeUndefined();
});

test('a file that the team has moved can be named by either path, and is restored where it is', async () => {
  const { runOlder, root, before, commitAll } = await editedProject();
  writeFiles(root, { 'src/later/lines.ts': `${textOf(before['src/lines.ts'])}mine();\n` });
  commitAll();
  for (const path of ['src/lines.ts', 'src/later/lines.ts']) {
    const { stdout } = await runOlder(['diff', path]);
    expect(stdout).toContain('rename to src/later/lines.ts\n');
    const { moves, files } = JSON.parse(
      (await runOlder(['regenerate', path, '--dry-run', '--json'])).stdout,
    );
    expect(moves).toMatchObject([{ from: 'src/lines.ts', path: 'src/later/lines.ts' }]);
    expect(files).toMatchObject([{ path: 'src/later/lines.ts', outcome: 'updated' }]);
  }
  expect(await runOlder(['regenerate', '--yes'])).toMatchObject({ exitCode: 0 });
  const { 'src/lines.ts': lines, ...others } = before;
  expect(readTree(root)).toEqual({ ...others, 'src/later/lines.ts': lines });
  const { stdout } = await runOlder([
    'regenerate',
    '--yes',
    '--no-moves',
    '--allow-dirty',
    '--json',
  ]);
  expect(JSON.parse(stdout).files).toContainEqual(
    expect.objectContaining({ path: 'src/lines.ts', outcome: 'added' }),
  );
});

test('imports lead to where the team has moved files', async () => {
  const text =
    "import { plain } from './http/plain.js';\n\nexport const two = plain + 1;\nexport const three = 3;\nexport const four = 4;\n";
  const older = { ...olderTemplates, 'base/files/src/two.ts': text };
  const { run, bins, root, commitAll } = await upgradableProject({ older });
  rmSync(join(root, 'src/two.ts'));
  rmSync(join(root, 'src/http/plain.ts'));
  const moved = text.replace('./http/plain.js', '../http/deep/plain.js');
  writeFiles(root, {
    'src/later/two.ts': `${moved}mine();\n`,
    'src/http/deep/plain.ts': 'export const plain = 1;\n',
  });
  commitAll();
  const { stdout } = await run(['regenerate', 'src/two.ts'], { bin: bins.older });
  expect(stdout).toContain('src/later/two.ts');
  expect(readFiles(root)['src/later/two.ts']).toBe(moved);
});

test('line ends stay as the team has them: an unedited file is left alone', async () => {
  const { runOlder, root, commitAll } = await editedProject();
  const { 'src/http/plain.ts': plain = '', 'src/app.ts': app = '' } = readFiles(root);
  writeFiles(root, { 'src/http/plain.ts': plain.replaceAll('\n', '\r\n') });
  await runOlder(['regenerate', 'src']);
  const restored = readFiles(root);
  expect(restored['src/http/plain.ts']).toBe('export const plain = 1;\r\n');
  expect(restored['src/app.ts']).not.toBe(app);
  commitAll();
  expect((await runOlder(['regenerate', '--yes'])).stdout).toContain('Nothing to do.');
});

test('without a path it needs --yes, and then restores all', async () => {
  const { runOlder, root, before } = await editedProject();
  const { exitCode, stderr } = await runOlder(['regenerate']);
  expect(exitCode).toBe(1);
  expect(stderr).toContain('--yes');
  expect(await runOlder(['regenerate', '--yes'])).toMatchObject({ exitCode: 0 });
  expect(readTree(root)).toEqual(before);
  expect((await runOlder(['regenerate', '--yes'])).stdout).toBe('Nothing to do.\n');
});

test('an empty path is not the whole project', async () => {
  const { runOlder, root } = await editedProject();
  const edited = readTree(root);
  for (const paths of [[''], ['src/lines.ts', '']]) {
    const { exitCode, stderr } = await runOlder(['regenerate', ...paths]);
    expect({ exitCode, stderr }).toEqual({
      exitCode: 1,
      stderr: 'A path is empty.\nUse . for all files.\n',
    });
  }
  expect(readTree(root)).toEqual(edited);
});

test('edits that are not committed are not thrown away', async () => {
  const { runOlder, root, commitAll } = await editedProject();
  commitAll();
  writeFiles(root, { 'src/app.ts': 'newer\n' });
  const { exitCode, stderr } = await runOlder(['regenerate', 'src/app.ts']);
  expect(exitCode).toBe(1);
  expect(stderr).toContain('Not committed:\n  src/app.ts\n');
  expect(git(root, 'diff', '--stat', 'HEAD')).toContain('src/app.ts');
});

test('an unknown path is reported with the nearest one', async () => {
  const { runOlder } = await editedProject();
  const { exitCode, stderr } = await runOlder(['regenerate', 'src/lins.ts']);
  expect(exitCode).toBe(1);
  expect(stderr).toContain('Did you mean src/lines.ts?');
});

test('in a folder, the nearest path is as it is typed there, and one from the root is taken too', async () => {
  const { runOlder, root } = await editedProject();
  const cwd = join(root, 'src/http');
  const { stderr } = await runOlder(['diff', 'plan.ts'], { cwd });
  expect(stderr).toContain('Did you mean plain.ts?');
  // As the next steps of an upgrade name it.
  expect((await runOlder(['diff', 'src/app.ts'], { cwd })).stdout).toContain('+++ b/src/app.ts');
});

test('without the record and git the same version renders the text again, another says that it is lost', async () => {
  const { runOlder, run, root, before } = await editedProject();
  rmSync(join(root, packFile));
  const other = await run(['regenerate', 'src/app.ts']);
  expect(other.stdout).toContain('its pristine text is neither in the record nor in git');
  expect(other.stdout).not.toContain('Nothing to do.');
  expect(await runOlder(['regenerate', '--yes'])).toMatchObject({ exitCode: 0 });
  expect(readTree(root)['src/app.ts']).toBe(before['src/app.ts']);
});
