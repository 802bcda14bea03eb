import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { commandFile, problemOf } from './child.js';
import { startService } from './start-service.js';

/**
 * What a new user, the emitted CI and the emitted Dockerfile run, in this order. Of the service's tests only those that
 * start it as a process: the others need no package that these do not.
 */
const commands = [
  ['npm', 'install', '--prefer-offline', '--no-audit', '--no-fund', '--package-lock-only'],
  // No package may need a script of its own to be installed.
  ['npm', 'ci', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund'],
  ['npm', 'run', 'typecheck'],
  ['npm', 'run', 'lint'],
  ['npm', 'test', '--', 'test/process.test.ts', 'test/security/supply-chain.test.ts'],
  ['npm', 'run', 'build'],
  ['npm', 'prune', '--omit=dev', '--no-audit', '--no-fund'],
];

/**
 * Emits a service outside this repository, installs its packages from the registry, checks, builds, drops what is for
 * development only, starts it and signs in. So it depends on nothing that only this repository has.
 * @returns what went wrong and where it lies; undefined if all is well
 */
export async function installProblem(): Promise<string | undefined> {
  const parent = mkdtempSync(join(tmpdir(), 'create-auth-service-'));
  const folder = join(parent, 'outside');
  const create = [process.execPath, commandFile, folder, '--yes', '--no-install', '--no-git'];
  const problem = (await problemOf(parent, create)) ?? (await problemIn(folder));
  if (problem) return `${problem}\nkept in ${folder}`;
  rmSync(parent, { recursive: true });
  return undefined;
}

async function problemIn(folder: string): Promise<string | undefined> {
  for (const command of commands) {
    const problem = await problemOf(folder, command);
    if (problem) return problem;
  }
  const service = await startService(folder);
  const problem = await signInProblem(service.url);
  const exitCode = await service.stop();
  if (problem) return problem;
  return exitCode === 0 ? undefined : `after SIGTERM it ended with exit code ${exitCode}`;
}

/** Registers and signs in, which needs the native code of a package. */
async function signInProblem(url: string): Promise<string | undefined> {
  const ada = { email: 'ada@example.com', password: 'correct horse battery staple' };
  for (const path of ['/register', '/login']) {
    const response = await fetch(`${url}/auth${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(ada),
    });
    if (!response.ok) return `${path} answered ${response.status}`;
  }
  return undefined;
}
