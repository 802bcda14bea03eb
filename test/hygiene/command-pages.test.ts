import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { commandPages } from '../../scripts/commands.js';
import { repositoryFolder } from '../../scripts/matrix/child.js';
import { runCli, scratchFolder } from '../support/cli.js';
import { checkJsonOutput } from '../support/json-output.js';
import { smallWorld } from '../support/small-world.js';

test('the pages about commands and answers are as npm run commands writes them', async () => {
  for (const [path, text] of Object.entries(commandPages())) {
    await expect(text).toMatchFileSnapshot(join(repositoryFolder, path));
  }
});

test('list --json has the schema of the answers, and what each choice brings and needs', async () => {
  const { stdout } = await runCli(['list', '--json'], { cwd: scratchFolder() });
  const { answers, methods } = JSON.parse(stdout);
  expect(Object.keys(answers.properties)).toEqual(
    expect.arrayContaining(['name', 'framework', 'database', 'methods', 'features']),
  );
  const values = answers.properties.methods.items.oneOf.map(
    (each: { const: string }) => each.const,
  );
  expect(values).toEqual(methods.map(({ name }: { name: string }) => name));
  for (const method of methods) {
    expect(method.brings.files).toBeGreaterThan(0);
    expect(method).toHaveProperty('needsOneOf');
  }
});

test('the output of --json matches its schema, and an extra field is reported', async () => {
  const { stdout } = await runCli(['list', '--json'], { cwd: scratchFolder() });
  const more = { ...JSON.parse(stdout), more: 1 };
  await expect(checkJsonOutput(['list'], JSON.stringify(more))).rejects.toThrow('more');
  await expect(checkJsonOutput(['doctor'], '{}')).rejects.toThrow('findings');
});

test('create --json says which files there are, what comes next and where the service answers', async () => {
  const { run, create, cwd } = smallWorld();
  const { stdout } = await create(['made', '--json']);
  expect(JSON.parse(stdout)).toMatchObject({
    files: expect.arrayContaining(['src/app.ts']),
    nextSteps: ['cd made', 'npm install', 'npm run dev'],
    urls: {},
  });
  const real = await runCli(['real', '--yes', '--dry-run', '--json'], { cwd });
  expect(JSON.parse(real.stdout).urls).toMatchObject({
    service: 'http://localhost:3000/auth',
    openapi: 'http://localhost:3000/auth/openapi.json',
  });
  expect((await run(['list', '--json'])).exitCode).toBe(0);
});

test('npm publishes the schemas', () => {
  const pack = ['pack', '--dry-run', '--json', '--ignore-scripts'];
  const [{ files }] = JSON.parse(execFileSync('npm', pack, { encoding: 'utf8', stdio: 'pipe' }));
  const paths = files.map(({ path }: { path: string }) => path);
  expect(paths).toEqual(
    expect.arrayContaining(['docs/answers.schema.json', 'docs/output.schema.json']),
  );
});
