import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { ended } from '../support/cli.js';
import { copyRepository, runScript, startScript } from '../support/repository-copy.js';

const minutes = 60_000;

test(
  'it emits, installs, starts and uses a service, serves it, and ends it with Ctrl-C',
  async () => {
    const repository = copyRepository();
    const child = startScript(repository, 'demo');
    onTestFinished(() => void child.kill('SIGTERM'));
    const end = ended(child);
    let output = '';
    child.stdout.on('data', (chunk) => (output += chunk));
    await vi.waitFor(() => expect(output).toContain('until Ctrl-C'), 2 * minutes);
    const steps = ['/register', '/login', '/me', '/refresh', '/logout'];
    for (const path of steps) expect(output).toContain(` /auth${path}`);

    const url = /Serving on (\S+)/.exec(output)?.[1];
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    const account = /account {2}(.+)/.exec(output)?.[1] ?? '';
    const headers = { origin: `${url}`, 'content-type': 'application/json' };
    const signIn = await fetch(`${url}/auth/login`, { method: 'POST', headers, body: account });
    expect(signIn.status, 'signing in from a page of this address').toBe(200);
    child.kill('SIGINT');
    expect((await end).exitCode).toBe(0);
    await expect(fetch(`${url}/healthz`)).rejects.toThrow();
  },
  3 * minutes,
);

test(
  'with --once it ends after the last step',
  async () => {
    const { stdout, exitCode } = await runScript(copyRepository(), 'demo', [
      '--once',
      '--no-install',
    ]);
    expect(stdout).toContain('All as expected.');
    expect(exitCode).toBe(0);
  },
  3 * minutes,
);

test(
  'an unexpected answer fails it: the log is shown and the folder kept',
  async () => {
    const repository = copyRepository();
    const steps = join(repository, 'scripts/demo.ts');
    const text = readFileSync(steps, 'utf8');
    writeFileSync(steps, text.replace("'PATCH', '/profile', 200", "'PATCH', '/profile', 418"));
    const { stderr, exitCode } = await runScript(repository, 'demo', ['--once', '--no-install']);
    expect(stderr).toContain('PATCH /auth/profile answers 200, not 418.');
    expect(stderr).toMatch(/The log of the service:[\s\S]*ready at http/);
    expect(exitCode).toBe(1);
    expect(existsSync(join(repository, 'playground/demo/src/main.ts'))).toBe(true);
  },
  3 * minutes,
);
