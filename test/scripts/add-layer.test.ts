import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packTemplates } from '../../scripts/build/pack-templates.js';
import { runCli } from '../support/cli.js';
import { copyRepository, runScript, runTool } from '../support/repository-copy.js';

test('new layers compile, lint, are offered by create, and pass their test', async () => {
  const repository = copyRepository();
  const feature = await runScript(repository, 'add-layer', [
    'features/carrier-pigeon',
    '--group',
    'method',
  ]);
  expect(feature.stdout).toContain('files/src/features/carrier-pigeon/feature.ts');
  const database = await runScript(repository, 'add-layer', ['databases/stone-tablet']);
  expect(database.stdout).toContain('files/src/db/connect.ts');

  const fresh = ['templates/features/carrier-pigeon', 'templates/databases/stone-tablet'];
  const lint = await runTool(repository, 'biome', ['check', '--error-on-warnings', ...fresh]);
  expect(lint.exitCode, lint.stdout + lint.stderr).toBe(0);
  await runScript(repository, 'wiring');
  const types = await runScript(repository, 'typecheck-templates', ['stone-tablet']);
  expect(types.stdout).toMatch(/stone-tablet: clean/);
  expect(types.exitCode, types.stdout).toBe(0);

  // Does what `npm install` does, which a new layer needs.
  packTemplates(repository);
  const place = 'playground/new';
  const choice = ['--database', 'stone-tablet', '--methods', 'password,carrier-pigeon'];
  const created = await runCli(
    [place, '--yes', '--no-install', '--no-git', ...choice, '--features', 'none'],
    { cwd: repository, bin: join(repository, 'bin/create-auth-service.js') },
  );
  expect(created.exitCode, created.stderr).toBe(0);
  const tests = await runTool(join(repository, place), 'vitest', ['run', 'carrier-pigeon']);
  expect(tests.stdout).toContain('1 passed');
  expect(tests.exitCode).toBe(0);
}, 120_000);

test.each([
  ['a name that is there', ['features/password', '--group', 'method'], 'already'],
  ['a name of another place that is there', ['databases/password'], 'already'],
  ['a name in another case', ['features/CarrierPigeon', '--group', 'method'], 'kebab case'],
  ['a name that would collide in lists', ['features/session', '--group', 'method'], 'taken'],
  ['a name whose --no- flag means something else', ['features/git', '--group', 'method'], 'taken'],
  ['a feature without a group', ['features/pigeon'], 'Which group'],
  ['a group of another place', ['databases/tablet', '--group', 'method'], 'of the group database'],
  ['a path elsewhere', ['../pigeon'], 'no place for a layer'],
  ['nothing', [], 'no place for a layer'],
])('it makes nothing for %s', async (_case, args, message) => {
  const repository = copyRepository();
  const before = readdirSync(join(repository, 'templates'), { recursive: true });
  const { stderr, exitCode } = await runScript(repository, 'add-layer', args);
  expect(stderr).toContain(message);
  expect(exitCode).toBe(1);
  expect(readdirSync(join(repository, 'templates'), { recursive: true })).toEqual(before);
});
