import { execFile } from 'node:child_process';
import { expect, it } from 'vitest';
import {
  emptyDatabaseEnvironment,
  testDatabaseEnvironment,
} from '../../test/open-test-database.js';

/** Runs a command as `npm run` would. */
function run(command: string, args: string[], environment: Record<string, string>) {
  // Vitest has a variable BASE_URL for itself.
  const env = { ...process.env, BASE_URL: '', ...environment };
  const file = ['--import', 'tsx', `src/commands/${command}.ts`, ...args];
  return new Promise<{ exitCode: unknown; stdout: string }>((resolve) => {
    execFile(process.execPath, file, { env }, (error, stdout) => {
      resolve({ exitCode: error?.code ?? 0, stdout });
    });
  });
}

async function check(environment: Record<string, string>) {
  const { exitCode, stdout } = await run('check', ['--json'], environment);
  return { exitCode, findings: JSON.parse(stdout).findings };
}

it('finds nothing in a service that can start, and what is pending in one that cannot', async () => {
  const environment = await testDatabaseEnvironment();
  expect(await check(environment)).toEqual({
    exitCode: 0,
    findings: [
      { about: 'configuration', stops: false, message: 'Every variable can be used.' },
      { about: 'database', stops: false, message: 'It answers.' },
      { about: 'migrations', stops: false, message: 'All have run.' },
    ],
  });
  await run('migrate', ['down'], environment);
  const pending = { about: 'migrations', message: expect.stringMatching(/^1 pending \(\d{8}_/) };
  const [on, off] = await Promise.all([
    check(environment),
    check({ ...environment, MIGRATE_ON_START: 'off' }),
  ]);
  expect(on.findings).toContainEqual({ ...pending, stops: false });
  expect(off.exitCode).toBe(1);
  expect(off.findings).toContainEqual({ ...pending, stops: true });
});

it('names every variable that stops a start, and no value', async () => {
  const environment = await emptyDatabaseEnvironment();
  const wrong = { ACCESS_TOKEN_SECRET: 'too-short-a-value', PORT: 'eighty' };
  const { exitCode, findings } = await check({ ...environment, ...wrong });
  expect(exitCode).toBe(1);
  expect(findings).toHaveLength(2);
  expect(JSON.stringify(findings)).toMatch(/PORT .*ACCESS_TOKEN_SECRET /s);
  expect(JSON.stringify(findings)).not.toMatch(/too-short-a-value|eighty/);
});
