import { expect, test } from 'vitest';
import { authenticatorCode, enrolTotp } from '../../../test/authenticator.js';
import { nativeClient } from '../../../test/client.js';
import { passFirstFactor } from '../../../test/first-factor.js';
import { startTestService, type TestEnvironment } from '../../../test/service.js';
import { signInAs, someRequest } from '../../../test/sign-in-as.js';
import { endSessionsOfUser } from '../../session/end-session.js';

const MINUTE = 60_000;

/** A user with an app whose enrolment code is a step behind, and a first factor passed. */
async function challenged(environment: TestEnvironment = {}) {
  const service = await startTestService(environment);
  const ada = await signInAs(service, { email: 'ada@example.com' });
  const { secret, recoveryCodes } = await enrolTotp(ada);
  service.advance(MINUTE);
  const { tempToken = '' } = await passFirstFactor(service, ada.user.id);
  return { service, ada, secret, recoveryCodes, tempToken, client: nativeClient(service) };
}

test('the first factor alone brings a challenge and no tokens', async () => {
  const { service, ada } = await challenged();
  expect(await passFirstFactor(service, ada.user.id)).toEqual({
    requiresTwoFactor: true,
    tempToken: expect.any(String),
    available2faMethods: ['totp'],
  });
});

test('the code of the app finishes the sign-in', async () => {
  const { client, secret, tempToken, service } = await challenged();
  const { status, body } = await client.post('/2fa/verify', {
    tempToken,
    totpCode: authenticatorCode(secret),
  });
  expect(status).toBe(200);
  expect(body).toEqual({
    success: true,
    accessToken: expect.any(String),
    refreshToken: expect.any(String),
  });
  const me = await nativeClient(service, body.accessToken).get('/me');
  expect(me.body.isTotpEnabled).toBe(true);
});

test.each([-1, 1])('a code %i step away is taken', async (steps) => {
  const { client, secret, tempToken } = await challenged();
  const totpCode = authenticatorCode(secret, steps);
  expect((await client.post('/2fa/verify', { tempToken, totpCode })).status).toBe(200);
});

test.each([-2, 2])('a code %i steps away is not', async (steps) => {
  const { client, secret, tempToken } = await challenged();
  const totpCode = authenticatorCode(secret, steps);
  const { status, body } = await client.post('/2fa/verify', { tempToken, totpCode });
  expect([status, body.code]).toEqual([400, 'INVALID_TOTP_CODE']);
});

test('attack: a code that was seen over the shoulder does not work a second time', async () => {
  const { service, ada, client, secret, tempToken } = await challenged();
  const totpCode = authenticatorCode(secret);
  await client.post('/2fa/verify', { tempToken, totpCode });
  const second = await passFirstFactor(service, ada.user.id);
  const { body } = await client.post('/2fa/verify', { tempToken: second.tempToken, totpCode });
  expect(body.code).toBe('INVALID_TOTP_CODE');
});

test('attack: of 20 parallel uses of one code exactly one signs in', async () => {
  const { service, ada, client, secret } = await challenged();
  const totpCode = authenticatorCode(secret);
  const challenges = await Promise.all(
    Array.from({ length: 20 }, () => passFirstFactor(service, ada.user.id)),
  );
  const answers = await Promise.all(
    challenges.map(({ tempToken }) => client.post('/2fa/verify', { tempToken, totpCode })),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(answers.every(({ status }) => status === 200 || status === 400)).toBe(true);
});

test('attack: a temp token yields tokens once', async () => {
  const { client, secret, recoveryCodes, tempToken } = await challenged();
  await client.post('/2fa/verify', { tempToken, totpCode: authenticatorCode(secret) });
  const { status, body } = await client.post('/2fa/verify', {
    tempToken,
    totpCode: recoveryCodes[0],
  });
  expect([status, body.code]).toEqual([400, 'INVALID_TEMP_TOKEN']);
});

test('attack: after five wrong codes the temp token is dead, even for the right one', async () => {
  const { client, secret, tempToken } = await challenged();
  for (let guess = 0; guess < 5; guess++) {
    const { body } = await client.post('/2fa/verify', { tempToken, totpCode: 'wrong' });
    expect(body.code).toBe('INVALID_TOTP_CODE');
  }
  const { body } = await client.post('/2fa/verify', {
    tempToken,
    totpCode: authenticatorCode(secret),
  });
  expect(body.code).toBe('INVALID_TEMP_TOKEN');
});

test('attack: parallel guesses share the five attempts', async () => {
  const { client, tempToken } = await challenged();
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => client.post('/2fa/verify', { tempToken, totpCode: 'wrong' })),
  );
  const tried = answers.filter(({ body }) => body.code === 'INVALID_TOTP_CODE');
  expect(tried).toHaveLength(5);
});

test('a temp token lives five minutes', async () => {
  const { service, client, secret, tempToken } = await challenged();
  service.advance(5 * MINUTE + 1000);
  const { body } = await client.post('/2fa/verify', {
    tempToken,
    totpCode: authenticatorCode(secret),
  });
  expect(body.code).toBe('INVALID_TEMP_TOKEN');
});

test('attack: a temp token is no access token, nor the other way round', async () => {
  const { service, ada, client, secret, tempToken } = await challenged();
  expect((await nativeClient(service, tempToken).get('/me')).body.code).toBe('INVALID_TOKEN');
  const { body } = await client.post('/2fa/verify', {
    tempToken: ada.accessToken,
    totpCode: authenticatorCode(secret),
  });
  expect(body.code).toBe('INVALID_TEMP_TOKEN');
});

test("attack: another user's code does not answer the challenge", async () => {
  const { service, client, tempToken } = await challenged();
  const eve = await enrolTotp(await signInAs(service));
  service.advance(MINUTE);
  const { body } = await client.post('/2fa/verify', {
    tempToken,
    totpCode: authenticatorCode(eve.secret),
  });
  expect(body.code).toBe('INVALID_TOTP_CODE');
});

test('a recovery code works once, is counted down, and the owner is told', async () => {
  const { service, ada, client, recoveryCodes, tempToken } = await challenged();
  const totpCode = recoveryCodes[0]?.toUpperCase().replaceAll('-', ' ');
  expect((await client.post('/2fa/verify', { tempToken, totpCode })).status).toBe(200);
  const mail = (await service.mails()).find(
    ({ subject }) => subject === 'A recovery code was used',
  );
  expect(mail?.text).toContain('9 of them are left');
  const second = await passFirstFactor(service, ada.user.id);
  const { body } = await client.post('/2fa/verify', { tempToken: second.tempToken, totpCode });
  expect(body.code).toBe('INVALID_TOTP_CODE');
});

test('attack: of 20 parallel uses of one recovery code exactly one signs in', async () => {
  const { service, ada, client, recoveryCodes } = await challenged();
  const challenges = await Promise.all(
    Array.from({ length: 20 }, () => passFirstFactor(service, ada.user.id)),
  );
  const answers = await Promise.all(
    challenges.map(({ tempToken }) =>
      client.post('/2fa/verify', { tempToken, totpCode: recoveryCodes[0] }),
    ),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
});

test('new recovery codes void the old ones', async () => {
  const { ada, client, recoveryCodes, tempToken } = await challenged();
  await ada.client.post('/2fa/recovery-codes');
  const { body } = await client.post('/2fa/verify', { tempToken, totpCode: recoveryCodes[0] });
  expect(body.code).toBe('INVALID_TOTP_CODE');
});

test('a rotated ACCESS_TOKEN_SECRET still opens the stored secret', async () => {
  const old = 'an-older-access-secret-of-0123456789-abc';
  const service = await startTestService({ ACCESS_TOKEN_SECRET: old });
  const { seal, unseal } = await import('../../session/seal.js');
  const { createKeys } = await import('../../session/keys.js');
  const sealed = seal(service.services.keys.sealing, 'totp:1', 'SECRET');
  const rotated = createKeys({
    ...service.config,
    ACCESS_TOKEN_SECRET: ['a-newer-access-secret-of-9876543210-xyz', old],
  });
  expect(unseal(rotated.sealing, 'totp:1', sealed)).toBe('SECRET');
  expect(unseal(rotated.sealing, 'totp:2', sealed)).toBeUndefined();
});

test('attack: a first step that was taken before all sessions ended leads nowhere', async () => {
  const { service, ada, client, secret, tempToken } = await challenged();
  await endSessionsOfUser(service.services, { request: someRequest() }, ada.user.id, 'revoked');
  const totpCode = authenticatorCode(secret);
  const { status, body } = await client.post('/2fa/verify', { tempToken, totpCode });
  expect([status, body.code]).toEqual([400, 'INVALID_TEMP_TOKEN']);
});
