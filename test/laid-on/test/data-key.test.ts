import { expect, test } from 'vitest';
import { checkEnvironment } from '../src/commands/findings.js';
import { readConfig } from '../src/config.js';
import { seal, unseal } from '../src/features/data-key/seal.js';
import { actionsOf, startWithAdmin } from './administrator.js';
import { nativeClient } from './client.js';
import { inProduction, SECRETS } from './environment.js';
import { authenticatorCode } from './flows/totp.js';
import { runCommand } from './process.js';
import { startTestService, type TestService } from './service.js';
import { signInAs } from './sign-in-as.js';

const OLD = 'the key that sealed everything first';

const NEW = 'the key that came after the first one';

test('DATA_KEY is needed, differs from the token secrets, and is random in production', () => {
  const read = (variables: Record<string, string>) => () =>
    readConfig({ ...SECRETS, ...variables });
  expect(read({ DATA_KEY: '' })).toThrow('DATA_KEY is missing');
  expect(read({ DATA_KEY: 'too-short' })).toThrow('DATA_KEY must be at least 32 random bytes');
  expect(read({ DATA_KEY: `${OLD},${SECRETS.ACCESS_TOKEN_SECRET}` })).toThrow(
    'differ from all other secrets',
  );
  expect(read({ DATA_KEY: `${OLD},${OLD}` })).toThrow('differ from all other secrets');
  expect(read({ DATA_KEY: 'ab'.repeat(20) })).not.toThrow();
  const production = { ...inProduction, DATA_KEY: 'ab'.repeat(20) };
  expect(read(production)).toThrow('DATA_KEY must be random in production');
});

/** `npm run keys -- reseal` with another DATA_KEY. */
function reseal(service: TestService, DATA_KEY: string) {
  const environment = { ...service.environment, DATA_KEY };
  return runCommand({ ...service, environment }, 'keys', ['reseal']);
}

test('`keys reseal` and `check` count what the older keys still seal', async () => {
  const service = await startTestService({ DATA_KEY: OLD });
  const { code, stdout } = await reseal(service, `${NEW},${OLD}`);
  expect([code, stdout]).toEqual([
    0,
    'Resealed: 0.\nOnly the first key of DATA_KEY is needed now.\n',
  ]);
  expect(await actionsOf(service)).not.toContain('keys reseal');
  const findings = await checkEnvironment({ ...service.environment, DATA_KEY: `${NEW},${OLD}` });
  expect(findings.filter(({ about }) => about === 'keys')).toEqual([
    { about: 'keys', stops: false, message: 'Key 1 of DATA_KEY has sealed 0 values.' },
    { about: 'keys', stops: false, message: 'Key 2 of DATA_KEY has sealed 0 values.' },
  ]);
});

test('`keys reseal` fails while no key opens a value: its key must not be thrown away', async () => {
  const { service, client } = await startWithAdmin({ DATA_KEY: OLD });
  await client.post('/webhooks', { url: 'https://example.com/hook', events: ['*'] });
  const { code, stdout, stderr } = await reseal(
    service,
    `${NEW},the old key with a typing mistake in it`,
  );
  expect([code, stdout]).toEqual([1, 'Resealed: 0.\n']);
  expect(stderr).toMatch(/^No key of DATA_KEY opens 1 value: restore/);
});

test('a sealed value opens with every list that has its key, and names that key', () => {
  const sealed = seal({ DATA_KEY: [OLD] }, 'secret:1', 'text');
  expect(unseal({ DATA_KEY: [NEW, OLD] }, 'secret:1', sealed)).toEqual({ text: 'text', key: 1 });
  expect(unseal({ DATA_KEY: [NEW] }, 'secret:1', sealed)).toBeUndefined();
});

test('attack: a sealed value that was moved to another row, changed or cut off does not open', () => {
  const keys = { DATA_KEY: [OLD] };
  const sealed = seal(keys, 'secret:1', 'text');
  expect(unseal(keys, 'secret:2', sealed)).toBeUndefined();
  expect(unseal(keys, 'secret:1', `A${sealed.slice(1)}B`)).toBeUndefined();
  expect(unseal(keys, 'secret:1', sealed.slice(0, -4))).toBeUndefined();
  expect(unseal(keys, 'secret:1', '')).toBeUndefined();
  // A tag of four bytes could be guessed.
  const empty = Buffer.from(seal(keys, 'secret:1', ''), 'base64url');
  const shortTag = empty.subarray(0, 16).toString('base64url');
  expect(unseal(keys, 'secret:1', shortTag)).toBeUndefined();
});

test('a webhook that is copied as it is shown gets a secret of its own, and never goes unsigned', async () => {
  const { client } = await startWithAdmin();
  const { url, events } = { url: 'https://example.com/hook', events: ['*'] };
  const { body } = await client.post('/webhooks', { url, events });
  const shown = (await client.get(`/webhooks/${body.webhook.id}`)).body.webhook;
  const copy = await client.post('/webhooks', { url, events, secret: shown.secret });
  expect([copy.status, copy.body.webhook.secret]).toEqual([201, expect.stringMatching(/^whsec_/)]);
  expect(copy.body.webhook.secret).not.toBe(body.webhook.secret);
});

test('a set-up of an app that began before DATA_KEY was rotated ends with its first code', async () => {
  const before = await startTestService({ DATA_KEY: OLD });
  const { accessToken } = await signInAs(before);
  const { secret } = (await nativeClient(before, accessToken).post('/2fa/setup')).body;
  const { DATABASE_URL } = before.config;
  const during = await startTestService({ DATABASE_URL, DATA_KEY: `${NEW},${OLD}` });
  const code = { token: authenticatorCode(secret), secret };
  const { status } = await nativeClient(during, accessToken).post('/2fa/verify-setup', code);
  expect(status).toBe(200);
});
