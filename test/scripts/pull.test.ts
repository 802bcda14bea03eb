import { appendFileSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { baseTemplate, clock, random } from '../support/emitted-paths.js';
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
  edit(`playground/play/${clock}`);
  // Two layers have this one: the later one wins.
  edit('playground/play/src/policy.ts');
  const first = await pull();
  expect(first.stdout).toContain(`${clock} → ${baseTemplate(clock)}`);
  expect(first.stdout).toContain('→ templates/features/registration/when/password/src/policy.ts');
  expect(first.exitCode).toBe(0);
  expect(read(baseTemplate(clock))).toBe(read(`playground/play/${clock}`));

  expect((await pull()).stdout).toContain('No edits');
  edit(`playground/play/${clock}`);
  expect((await pull()).exitCode).toBe(0);
});

test('a file whose template has changed since is refused, and both stay as they are', async () => {
  const { read, edit, pull } = await playground();
  edit(`playground/play/${clock}`);
  // Not the same text: that would be no conflict.
  edit(baseTemplate(clock));
  edit(baseTemplate(clock));
  const template = read(baseTemplate(clock));
  const { stdout, exitCode } = await pull();
  expect(stdout).toContain(`${clock}: its template has changed since too`);
  expect(exitCode).toBe(1);
  expect(read(baseTemplate(clock))).toBe(template);
});

test('lists, merged files and deletions are named with the place to edit', async () => {
  const { repository, edit, pull } = await playground();
  edit('playground/play/src/features.ts');
  edit('playground/play/.env.example');
  rmSync(join(repository, `playground/play/${random}`));
  const { stdout, exitCode } = await pull();
  expect(stdout).toContain('edit templates/base/files/src/features.ts.ejs');
  expect(stdout).toContain('.env.example: it is merged from a file in each layer');
  expect(stdout).toContain(`delete ${baseTemplate(random)}`);
  expect(exitCode).toBe(1);
});
