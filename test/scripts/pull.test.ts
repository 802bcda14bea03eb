import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { copyRepository, runScript } from '../support/repository-copy.js';

async function playground() {
  const repository = copyRepository();
  const rendered = await runScript(repository, 'play', ['--once']);
  expect(rendered.exitCode).toBe(0);
  const read = (...path: string[]) => readFileSync(join(repository, ...path), 'utf8');
  const edit = (...path: string[]) => appendFileSync(join(repository, ...path), '// edited\n');
  const pull = (...args: string[]) => runScript(repository, 'pull', args);
  return { repository, read, edit, pull };
}

test('an edit goes home to the layer that the file comes from, once', async () => {
  const { read, edit, pull } = await playground();
  edit('playground/play/src/clock.ts');
  // Two layers have this one: the later one wins.
  edit('playground/play/src/policy.ts');
  const first = await pull();
  expect(first.stdout).toContain('src/clock.ts → templates/base/files/src/clock.ts');
  expect(first.stdout).toContain('→ templates/features/registration/files/src/policy.ts');
  expect(first.exitCode).toBe(0);
  expect(read('templates/base/files/src/clock.ts')).toBe(read('playground/play/src/clock.ts'));

  expect((await pull()).stdout).toContain('No edits');
  edit('playground/play/src/clock.ts');
  expect((await pull()).exitCode).toBe(0);
});

test('a file whose template has changed since is refused, and both stay as they are', async () => {
  const { read, edit, pull } = await playground();
  edit('playground/play/src/clock.ts');
  // Not the same text: that would be no conflict.
  edit('templates/base/files/src/clock.ts');
  edit('templates/base/files/src/clock.ts');
  const template = read('templates/base/files/src/clock.ts');
  const { stdout, exitCode } = await pull();
  expect(stdout).toContain('src/clock.ts: its template has changed since too');
  expect(exitCode).toBe(1);
  expect(read('templates/base/files/src/clock.ts')).toBe(template);
});

test('lists, merged files and deletions are named with the place to edit', async () => {
  const { repository, edit, pull } = await playground();
  edit('playground/play/src/features.ts');
  edit('playground/play/.env.example');
  rmSync(join(repository, 'playground/play/src/random.ts'));
  const { stdout, exitCode } = await pull();
  expect(stdout).toContain('edit templates/base/files/src/features.ts.ejs');
  expect(stdout).toContain('edit env.example of base or sqlite');
  expect(stdout).toContain('deleting templates/base/files/src/random.ts');
  expect(exitCode).toBe(1);
});

test('a new file goes into the layer that is named, under a name that tools leave alone', async () => {
  const { repository, read, pull } = await playground();
  writeFileSync(join(repository, 'playground/play/.npmrc'), 'engine-strict=true\n');
  expect((await pull()).stdout).toContain('.npmrc: new; --into <layer>');
  const { stdout, exitCode } = await pull('--into', 'features/password');
  expect(stdout).toContain('templates/features/password/files/_npmrc');
  expect(exitCode).toBe(0);
  expect(read('templates/features/password/files/_npmrc')).toBe('engine-strict=true\n');
});

test('a layer that the project does not have is refused with the nearest', async () => {
  const { pull } = await playground();
  const { stderr, exitCode } = await pull('--into', 'features/pasword');
  expect(stderr).toContain('Did you mean password?');
  expect(exitCode).toBe(1);
});
