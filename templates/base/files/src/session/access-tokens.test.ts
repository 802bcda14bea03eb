import { expect, test } from 'vitest';
import { nativeClient } from '../../test/client.js';
import { startSingleInstance } from '../../test/service.js';
import { signInAs } from '../../test/sign-in-as.js';

/** A user whose access token was used, and so is remembered. */
async function remembered() {
  const service = await startSingleInstance();
  const ada = await signInAs(service);
  expect((await ada.client.get('/me')).status).toBe(200);
  return { service, ada };
}

test('a remembered token is refused once it has expired', async () => {
  const { service, ada } = await remembered();
  service.advance(15 * 60_000 + 1000);
  expect((await ada.client.get('/me')).body.code).toBe('INVALID_TOKEN');
});

test('a remembered token of an ended session opens nothing', async () => {
  const { service, ada } = await remembered();
  await service.services.sessions.revokeAllOfUser(ada.user.id);
  expect((await ada.client.get('/me')).body.code).toBe('SESSION_REVOKED');
});

test('attack: a token that differs from a remembered one in its signature alone is refused', async () => {
  const { service, ada } = await remembered();
  const forged = ada.accessToken.replace(/.(?=.{8}$)/, (sign) => (sign === 'A' ? 'B' : 'A'));
  expect((await nativeClient(service, forged).get('/me')).body.code).toBe('INVALID_TOKEN');
});

test('attack: floods of tokens push none out for good', async () => {
  const { service, ada } = await remembered();
  for (let index = 0; index < 50; index++) service.services.accessTokens.verify(`made.up.${index}`);
  expect((await ada.client.get('/me')).status).toBe(200);
});
