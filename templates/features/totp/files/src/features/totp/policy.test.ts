import { expect, test } from 'vitest';
import { authenticatorCode } from '../../../test/authenticator.js';
import { nativeClient } from '../../../test/client.js';
import { passFirstFactor } from '../../../test/first-factor.js';
import { startTestService } from '../../../test/service.js';
import { signInAs, someRequest } from '../../../test/sign-in-as.js';
import { HttpError } from '../../http/errors.js';
import { endSessionsOfUser } from '../../session/end-session.js';
import { proveEmail } from '../../users/prove-email.js';

async function refused(work: Promise<unknown>): Promise<HttpError> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof HttpError) return error;
  throw new Error('It was not refused.');
}

/** A user without a second factor, of whom one is demanded, and the token that they get. */
async function sentToSetUp() {
  const service = await startTestService();
  const ada = await signInAs(service);
  await service.services.settings.set('require2FA', true);
  const error = await refused(passFirstFactor(service, ada.user.id));
  const token = String(error.extra.fields?.tempToken);
  return { service, ada, error, client: nativeClient(service, token) };
}

test('whoever must have a second factor and has none is sent to set one up', async () => {
  const { error } = await sentToSetUp();
  expect([error.status, error.code]).toEqual([403, '2FA_SETUP_REQUIRED']);
  expect(error.extra.fields).toMatchObject({ requires2FASetup: true });
});

test('that token opens the set-up, and after it the sign-in asks for the code', async () => {
  const { service, ada, client } = await sentToSetUp();
  const { body } = await client.post('/2fa/setup');
  const confirmed = await client.post('/2fa/verify-setup', {
    token: authenticatorCode(body.secret),
    secret: body.secret,
  });
  expect(confirmed.body.recoveryCodes).toHaveLength(10);
  const challenge = await passFirstFactor(service, ada.user.id);
  expect(challenge).toMatchObject({ requiresTwoFactor: true, available2faMethods: ['totp'] });
});

test('attack: it opens nothing else', async () => {
  const { client } = await sentToSetUp();
  expect((await client.get('/me')).body.code).toBe('INVALID_TOKEN');
  expect((await client.get('/sessions')).body.code).toBe('INVALID_TOKEN');
  expect((await client.post('/2fa/disable')).body.code).toBe('INVALID_TOKEN');
  expect((await client.post('/2fa/recovery-codes')).body.code).toBe('INVALID_TOKEN');
});

test('attack: it does not replace an app that was set up meanwhile', async () => {
  const { service, ada, client } = await sentToSetUp();
  await service.services.settings.set('require2FA', null);
  const own = await ada.client.post('/2fa/setup');
  await ada.client.post('/2fa/verify-setup', {
    token: authenticatorCode(own.body.secret),
    secret: own.body.secret,
  });
  expect((await client.post('/2fa/setup')).body.code).toBe('INVALID_TOKEN');
});

test('without the demand nobody is asked', async () => {
  const service = await startTestService();
  const ada = await signInAs(service);
  await service.services.settings.set('require2FA', true);
  await service.services.settings.set('require2FA', null);
  expect(await passFirstFactor(service, ada.user.id)).toHaveProperty('accessToken');
});

test('attack: whoever opened the account in wait for its owner cannot use it after the address is proven', async () => {
  const { service, ada, client } = await sentToSetUp();
  await proveEmail(service.services, someRequest(), ada.user);
  expect((await client.post('/2fa/setup')).body.code).toBe('INVALID_TOKEN');
});

test('attack: a sign-in that is half way when all sessions end stays half way', async () => {
  const { service, ada, client } = await sentToSetUp();
  await endSessionsOfUser(service.services, { request: someRequest() }, ada.user.id, 'revoked');
  expect((await client.post('/2fa/setup')).body.code).toBe('INVALID_TOKEN');
});
