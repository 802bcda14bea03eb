import type { ChildProcess } from 'node:child_process';
import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { ended } from '../support/cli.js';
import { baseTemplate, clock, random } from '../support/emitted-paths.js';
import { copyRepository, runScript, startScript } from '../support/repository-copy.js';

const soon = { timeout: 120_000, interval: 50 };

async function watched(repository: string): Promise<{ child: ChildProcess; output(): string }> {
  const child = startScript(repository, 'play');
  onTestFinished(() => void child.kill('SIGKILL'));
  let output = '';
  child.stdout.on('data', (chunk) => (output += chunk));
  child.stderr.on('data', (chunk) => (output += chunk));
  await vi.waitFor(() => expect(output).toContain('Watching'), soon);
  return { child, output: () => output };
}

test('it takes the flags of create, and removes what is left out', async () => {
  const repository = copyRepository();
  const features = () => readFileSync(join(repository, 'playground/play/src/features.ts'), 'utf8');
  expect((await runScript(repository, 'play', ['--once'])).exitCode).toBe(0);
  expect(features()).toContain('registration');
  const { stdout } = await runScript(repository, 'play', ['--once', '--features', 'none']);
  expect(stdout).toContain('removed  docs/features/account-deletion.md');
  expect(features()).not.toContain('registration');
  const mistaken = await runScript(repository, 'play', ['--once', '--features', 'nothing']);
  expect(mistaken.stderr).toContain('there is no "nothing"');
  expect(mistaken.exitCode).toBe(1);
});

test('a changed template is rendered again, and edits elsewhere are kept', async () => {
  const repository = copyRepository();
  const project = join(repository, 'playground/play');
  const template = join(repository, baseTemplate(clock));
  const { child, output } = await watched(repository);
  appendFileSync(join(project, random), '// mine\n');

  appendFileSync(template, '// first\n');
  const rendered = () => readFileSync(join(project, clock), 'utf8');
  await vi.waitFor(() => expect(rendered()).toContain('// first'), soon);
  expect(readFileSync(join(project, random), 'utf8')).toContain('// mine');

  writeFileSync(join(project, clock), '// mine\n');
  appendFileSync(template, '// second\n');
  await vi.waitFor(() => expect(output()).toContain(`${clock}: edited here too`), soon);
  expect(rendered()).toContain('// second');
  expect(readFileSync(join(project, `${clock}.edited`), 'utf8')).toBe('// mine\n');

  const end = ended(child);
  child.kill('SIGINT');
  expect((await end).exitCode).toBe(0);
});

test('a template that is broken for a moment does not end the watching', async () => {
  const repository = copyRepository();
  const { output } = await watched(repository);
  const list = join(repository, 'templates/base/files/src/features.ts.ejs');
  const text = readFileSync(list, 'utf8');
  writeFileSync(list, '<% nonsense( %>');
  await vi.waitFor(() => expect(output()).toContain('features.ts.ejs'), soon);
  writeFileSync(list, `${text}// well again\n`);
  const rendered = () => readFileSync(join(repository, 'playground/play/src/features.ts'), 'utf8');
  await vi.waitFor(() => expect(rendered()).toContain('// well again'), soon);
});

test('a folder that it has not made is left alone', async () => {
  const repository = copyRepository();
  await runScript(repository, 'play', ['--once']);
  rmSync(join(repository, 'playground/play/.create-auth-service'), { recursive: true });
  const { stderr, exitCode } = await runScript(repository, 'play', ['--once']);
  expect(stderr).toContain('was not made by this script');
  expect(exitCode).toBe(1);
});
