import { join } from 'node:path';
import { styleText } from 'node:util';
import { execa } from 'execa';
import { removeSync } from 'fs-extra/esm';
import { commandFile, repositoryFolder } from './matrix/child.js';
import { startForBrowsers } from './matrix/start-service.js';

/**
 * Creates a service with the real command line, installs and starts it, and signs in over HTTP, showing each request and
 * response. Then it serves until Ctrl-C; with `--once` it exits. Other flags go to `create`, such as `--no-install`.
 */
const folder = join(repositoryFolder, 'playground/demo');
const account = { email: 'ada@example.com', password: 'correct horse battery staple' };
const cookies = new Map<string, string>();

say('Making a service');
removeSync(folder);
const flags = ['--yes', '--no-git', ...process.argv.slice(2).filter((flag) => flag !== '--once')];
await execa('node', [commandFile, 'playground/demo', ...flags], {
  cwd: repositoryFolder,
  stdio: 'inherit',
  env: { npm_config_prefer_offline: 'true' },
});

say('Starting it');
// Users have to wait between two mails; these steps are faster.
const service = await startForBrowsers(folder, { RATE_LIMIT: 'off' });
const { baseUrl } = service;
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => service.stop());

try {
  say('Create an account');
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
    console.log('\nAll as expected.');
    await service.stop();
  } else {
    say(`Serving on ${baseUrl} until Ctrl-C`);
    console.log(`  routes   ${baseUrl}/auth/openapi.json\n  account  ${JSON.stringify(account)}`);
    console.log('  code     playground/demo\n  mails    playground/demo/data/outbox');
  }
} catch (error) {
  console.error(`\nThe log of the service:\n${service.log()}\n${String(error)}`);
  console.error(`Everything is kept in ${folder}`);
  process.exitCode = 1;
  await service.stop();
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
  const response = await fetch(`${baseUrl}/auth${path}`, { method, headers, body: text ?? null });
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

function say(title: string): void {
  console.log(`\n${styleText('bold', title)}`);
}
