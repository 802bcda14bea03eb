import { createServer } from 'node:net';
import { join } from 'node:path';
import { styleText } from 'node:util';
import { execa } from 'execa';
import { removeSync } from 'fs-extra/esm';
import { templatesFolder } from '../src/package-root.js';

/**
 * Creates a service with the real command line, installs and starts it, and signs in over HTTP, showing each request and
 * response. Then it serves until Ctrl-C; with `--once` it exits. Other flags go to `create`, such as `--no-install`.
 */
const repository = join(templatesFolder, '..');
const folder = join(repository, 'playground/demo');
const account = { email: 'ada@example.com', password: 'correct horse battery staple' };
const cookies = new Map<string, string>();
const startSeconds = 30;

say('Making a service');
removeSync(folder);
const flags = ['--yes', '--no-git', ...process.argv.slice(2).filter((flag) => flag !== '--once')];
await execa('node', ['bin/create-auth-service.js', 'playground/demo', ...flags], {
  cwd: repository,
  stdio: 'inherit',
  env: { npm_config_prefer_offline: 'true' },
});

say('Starting it');
const port = await freePort();
const url = `http://localhost:${port}`;
const service = execa('node', ['--import', 'tsx', 'src/main.ts'], {
  cwd: folder,
  // Users have to wait between two mails; these steps are faster.
  env: { PATH: process.env.PATH, PORT: String(port), RATE_LIMIT: 'off' },
  extendEnv: false,
  // In a process group of its own, so that Ctrl-C does not reach it: it would get the signal twice.
  detached: true,
  all: true,
  reject: false,
});
const log: string[] = [];
service.all.on('data', (text: Buffer) => log.push(text.toString()));
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => service.kill('SIGTERM'));
}

try {
  await untilReady();
  say('Open an account');
  await send('POST', '/register', 201, { ...account, firstName: 'Ada', lastName: 'Lovelace' });
  say('Try a wrong password, then the right one');
  await send('POST', '/login', 401, { email: account.email, password: 'guessed' });
  await send('POST', '/login', 200, account);
  say('Who am I?');
  await send('GET', '/me', 200);
  say('Change the profile');
  await send('PATCH', '/profile', 200, { name: 'Countess of Lovelace' });
  say('Exchange the refresh token for new tokens');
  await send('POST', '/refresh', 200, {});
  say('Look at my sessions');
  await send('GET', '/sessions', 200);
  say('Sign out');
  await send('POST', '/logout', 200, {});
  await send('GET', '/me', 401);
  if (process.argv.includes('--once')) {
    service.kill('SIGTERM');
    await service;
    console.log('\nAll as expected.');
  } else {
    say(`Serving on ${url} until Ctrl-C`);
    console.log(`  routes   ${url}/auth/openapi.json\n  account  ${JSON.stringify(account)}`);
    console.log('  code     playground/demo\n  mails    playground/demo/data/outbox');
    service.all.pipe(process.stdout);
    await service;
  }
} catch (error) {
  service.kill('SIGTERM');
  console.error(`\nThe log of the service:\n${log.join('')}\n${String(error)}`);
  console.error(`Everything is kept in ${folder}`);
  process.exitCode = 1;
}

/**
 * Sends a request as a browser would, with its cookies, and shows it.
 * @throws Error unless the status is the expected one
 */
async function send(method: string, path: string, expected: number, body?: object): Promise<void> {
  const text = body && JSON.stringify(body);
  console.log(`  ${styleText('cyan', `${method} /auth${path}`)} ${text ?? ''}`);
  const csrf = [...cookies].find(([name]) => name.endsWith('csrf-token'))?.[1];
  const headers = {
    cookie: [...cookies].map((pair) => pair.join('=')).join('; '),
    ...(csrf ? { 'x-csrf-token': csrf } : {}),
    ...(text ? { 'content-type': 'application/json' } : {}),
  };
  const response = await fetch(`${url}/auth${path}`, { method, headers, body: text ?? null });
  console.log(`  ${styleText('green', String(response.status))} ${await response.text()}`);
  for (const cookie of response.headers.getSetCookie()) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
    if (/max-age=0/i.test(cookie)) cookies.delete(name);
    else cookies.set(name, value);
    console.log(styleText('dim', `      ${cookie}`));
  }
  if (response.status === expected) return;
  throw new Error(`${method} /auth${path} answers ${response.status}, not ${expected}.`);
}

async function untilReady(): Promise<void> {
  for (
    const end = Date.now() + startSeconds * 1000;
    Date.now() < end && service.exitCode === null;
  ) {
    if (
      await fetch(`${url}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      )
    )
      return;
    await new Promise((resume) => setTimeout(resume, 50));
  }
  throw new Error('The service did not start.');
}

/** The usual port, or a free one. */
function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('listening', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
    server.once('error', () => server.listen(0, '127.0.0.1'));
    server.listen(3000, '127.0.0.1');
  });
}

function say(title: string): void {
  console.log(`\n${styleText('bold', title)}`);
}
