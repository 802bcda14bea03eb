import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startProcess } from './process.js';

const ROOT = join(import.meta.dirname, '..');
const MAIN = join(ROOT, 'dist/main.js');

/** Ends the service where it begins to wait for a signal, and prints the stack trace. */
const TRACE = `data:text/javascript,const { once } = process;
process.once = (signal, ...rest) => {
  if (signal !== 'SIGTERM') return once.call(process, signal, ...rest);
  process.stdout.write(new Error('here').stack, () => process.exit());
};`;

test('the built service answers from its database, and ends with 0 at SIGTERM', async () => {
  const service = await startProcess({}, [MAIN]);
  const url = await service.ready();
  expect((await fetch(`${url}/readyz`)).status).toBe(200);
  expect((await fetch(`${url}/auth/me`)).status).toBe(401);
  service.child.kill('SIGTERM');
  expect(await service.ended, service.output()).toBe(0);
});

test('with --enable-source-maps a stack trace of the built service names lines of src/', async () => {
  const { ended, output } = await startProcess({}, [
    '--enable-source-maps',
    '--import',
    TRACE,
    MAIN,
  ]);
  await ended;
  const [, line = ''] = /\bsrc[/\\]main\.ts:(\d+)/.exec(output()) ?? [];
  const lines = (await readFile(join(ROOT, 'src/main.ts'), 'utf8')).split('\n');
  expect(lines[Number(line) - 1], output()).toContain('process.once(');
});

test('a mistake in the code that ends the start is shown with its stack', async () => {
  const mistake = TRACE.replace(/process.stdout.*/, 'undefined.missing;');
  const { ended, output } = await startProcess({}, ['--import', mistake, MAIN]);
  expect(await ended).toBe(1);
  expect(output()).toMatch(/^TypeError: Cannot read .*\n( +at .*\n)* +at .*\bmain\.js:/m);
});

test('the package that formats the log in development is not installed for production', async () => {
  const { dependencies, devDependencies } = JSON.parse(
    await readFile(join(ROOT, 'package.json'), 'utf8'),
  );
  expect(devDependencies).toHaveProperty('pino-pretty');
  expect(dependencies).not.toHaveProperty('pino-pretty');
});

test('each command of package.json is there once built', async () => {
  const { scripts } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));
  const commands = Object.keys(scripts).filter((name) =>
    scripts[name].startsWith('tsx src/commands/'),
  );
  expect(commands).toContain('migrate');
  for (const name of commands) {
    const file = join(ROOT, `dist/${name}.js`);
    const { ended, output } = await startProcess({}, [file, '--help']);
    expect([name, await ended], output()).toEqual([name, 0]);
  }
});

test('files that a module reads beside itself are there once built', async () => {
  for (const path of await readdir(join(ROOT, 'src'), { recursive: true })) {
    if (!/(?<!\.test)\.ts$/.test(path)) continue;
    const text = await readFile(join(ROOT, 'src', path), 'utf8');
    for (const [, file = ''] of text.matchAll(/new URL\(\s*'(\.\/[^']+)'/g)) {
      const written = await readFile(join(ROOT, 'src', dirname(path), file));
      expect(await readFile(join(ROOT, 'dist', file))).toEqual(written);
    }
  }
});

test('a log that cannot be written, as on a full disk, stops nothing', async () => {
  const code = `import { createLog } from './src/process/log.ts';
    const log = createLog({ LOG_LEVEL: 'info', isProduction: true });
    for (let count = 0; count < 1_000; count += 1) log.info('x'.repeat(2_000));
    setTimeout(() => process.exit(7), 100);`;
  const args = ['--import', 'tsx', '--input-type=module', '--eval', code];
  const full = openSync('/dev/full', 'w');
  const child = spawn(process.execPath, args, { cwd: ROOT, stdio: ['ignore', full, 'inherit'] });
  closeSync(full);
  onTestFinished(() => void child.kill('SIGKILL'));
  expect(await once(child, 'exit')).toEqual([7, null]);
});
