import { expect, test } from 'vitest';
import { openChallenge } from '../src/features/second-factor/challenge.js';
import { nativeClient } from './client.js';
import { accountAt } from './flows/link.js';
import { linkTokenIn, requestMagicLink } from './flows/magic-link.js';
import { startTestService, type TestService } from './service.js';
import { signInAs } from './sign-in-as.js';

const MINUTE = 60_000;

/** A user with a verified address who has completed the first step of a sign-in. */
async function atSecondStep(service: TestService, method = 'local') {
  const { user, accessToken } = await signInAs(service);
  const tempToken = await openChallenge(service.services, {
    userId: user.id,
    method,
    confirm: async () => {},
  });
  return { user, accessToken, tempToken };
}

function send(service: TestService, tempToken: unknown) {
  return nativeClient(service).post('/magic-link/send', { mode: '2fa', tempToken });
}

async function mailedLink(service: TestService, tempToken: string): Promise<string> {
  expect((await send(service, tempToken)).body).toEqual({ success: true });
  // A notice of an earlier sign-in may be sent too.
  return linkTokenIn(
    (await service.mails()).findLast(({ name }) => name === 'magicLinkSecondStep'),
  );
}

function verify(service: TestService, tempToken: unknown, token: unknown) {
  return nativeClient(service).post('/magic-link/verify', { mode: '2fa', tempToken, token });
}

test.each([{ mode: 'login' }, { mode: '2fa' }, { mode: undefined }])(
  'the link of a second step finishes it in mode $mode, with its temp token or without',
  async ({ mode }) => {
    const service = await startTestService();
    const client = nativeClient(service);
    for (const isKnown of [true, false]) {
      const { user, tempToken } = await atSecondStep(service);
      const token = await mailedLink(service, tempToken);
      const known = isKnown ? { tempToken } : {};
      const { body } = await client.post('/magic-link/verify', { token, mode, ...known });
      expect((await nativeClient(service, body.accessToken).get('/me')).body.sub).toBe(user.id);
      const again = await client.post('/magic-link/verify', { token, mode: 'login' });
      expect([again.status, again.body.code]).toEqual([400, 'INVALID_MAGIC_LINK']);
    }
  },
);

test('after a first step by a link, or without a verified address, no link finishes the sign-in', async () => {
  const service = await startTestService();
  const { tempToken } = await atSecondStep(service, 'magic-link');
  const { user } = await signInAs(service, { isEmailProven: false });
  const challenge = { userId: user.id, method: 'local', confirm: async () => {} };
  const unverified = await openChallenge(service.services, challenge);

  for (const token of [tempToken, unverified]) {
    const unknown = 'f'.repeat(64);
    for (const answer of [await send(service, token), await verify(service, token, unknown)]) {
      expect([answer.status, answer.body.code]).toEqual([400, 'METHOD_NOT_AVAILABLE']);
    }
  }
  expect(await service.mails()).toEqual([]);
});

test.each([
  ['sms', 'POST', '/add-phone', { phoneNumber: null }],
  ['acme', 'DELETE', '/linked-accounts/acme/1'],
] as const)(
  'a sign-in that began by %s ends once its user removes that',
  async (method, verb, path, body?: object) => {
    const service = await startTestService();
    const { user, accessToken, tempToken } = await atSecondStep(service, method);
    await service.services.sms.saveNumber(user.id, '+4915112345678');
    await service.services.accountLinking.add(user.id, accountAt('acme', '1'));

    const removed = await nativeClient(service, accessToken).send(verb, path, body);

    expect([removed.status, (await send(service, tempToken)).body.code]).toEqual([
      200,
      'INVALID_TEMP_TOKEN',
    ]);
  },
);

test('the link ends with its sign-in: after five minutes, or five wrong ones', async () => {
  const service = await startTestService();
  const guessed = await atSecondStep(service);
  const token = await mailedLink(service, guessed.tempToken);
  for (let guess = 0; guess < 5; guess++) {
    await verify(service, guessed.tempToken, 'f'.repeat(64));
  }
  expect((await verify(service, guessed.tempToken, token)).body.code).toBe('INVALID_TEMP_TOKEN');

  const late = await atSecondStep(service);
  const ofLate = await mailedLink(service, late.tempToken);
  service.advance(5 * MINUTE + 1000);
  expect((await verify(service, late.tempToken, ofLate)).body.code).toBe('INVALID_TEMP_TOKEN');
  expect((await verify(service, undefined, ofLate)).body.code).toBe('INVALID_MAGIC_LINK');
});

test('a mailed link finishes the sign-in of its temp token, and of no other', async () => {
  const service = await startTestService();
  const { user, tempToken, accessToken } = await atSecondStep(service);
  const token = await mailedLink(service, tempToken);
  const [mail] = await service.mails();
  expect(mail).toMatchObject({ to: user.email, name: 'magicLinkSecondStep' });

  for (const none of [undefined, '']) {
    const unknown = 'f'.repeat(64);
    for (const answer of [await send(service, none), await verify(service, none, unknown)]) {
      expect([answer.status, answer.body.code]).toEqual([400, 'TEMP_TOKEN_REQUIRED']);
    }
  }
  for (const wrong of ['nonsense', accessToken, `${tempToken}x`]) {
    for (const answer of [await send(service, wrong), await verify(service, wrong, token)]) {
      expect([answer.status, answer.body.code]).toEqual([400, 'INVALID_TEMP_TOKEN']);
    }
  }

  const { body } = await verify(service, tempToken, token);
  expect((await nativeClient(service, body.accessToken).get('/me')).body.sub).toBe(user.id);
});

test('attack: a link that signs in is no second step; it stays good', async () => {
  const service = await startTestService();
  const { user, tempToken } = await atSecondStep(service);
  const ofLogin = await requestMagicLink(service, user.email);
  await service.idle();
  const token = await mailedLink(service, tempToken);
  const client = nativeClient(service);

  const { status, body } = await verify(service, tempToken, ofLogin);
  expect([status, body.code]).toEqual([400, 'TOKEN_MISMATCH']);

  expect((await verify(service, tempToken, token)).status).toBe(200);
  expect((await client.post('/magic-link/verify', { token: ofLogin })).status).toBe(200);
});

test('attack: a link of another user, or of another sign-in of the same user, is refused', async () => {
  const service = await startTestService();
  const ada = await atSecondStep(service);
  const mallory = await atSecondStep(service);
  const second = await openChallenge(service.services, {
    userId: ada.user.id,
    method: 'local',
    confirm: async () => {},
  });
  const ofMallory = await mailedLink(service, mallory.tempToken);
  const ofAda = await mailedLink(service, ada.tempToken);

  for (const [tempToken, token] of [
    [ada.tempToken, ofMallory],
    [mallory.tempToken, ofAda],
    [second, ofAda],
  ]) {
    for (const mode of ['2fa', 'login']) {
      const body = { mode, tempToken, token };
      const answer = await nativeClient(service).post('/magic-link/verify', body);
      expect([answer.status, answer.body.code]).toEqual([400, 'TOKEN_MISMATCH']);
    }
  }
  expect((await verify(service, ada.tempToken, ofAda)).status).toBe(200);
});

test('pre-hijacking: the link of a second step proves the address, and ends what was added before', async () => {
  const service = await startTestService();
  const { users } = service.services;
  const { user, client } = await signInAs(service, { isEmailProven: false });
  // By a mail scanner.
  await users.markEmailVerified(user.id);
  const challenge = { userId: user.id, method: 'local', confirm: async () => {} };
  const token = await mailedLink(service, await openChallenge(service.services, challenge));

  const owner = nativeClient(service);
  const { body } = await owner.post('/magic-link/verify', { token, mode: 'login' });

  expect((await nativeClient(service, body.accessToken).get('/me')).body.sub).toBe(user.id);
  expect((await users.findById(user.id))?.emailProvenAt).not.toBeNull();
  expect((await client.get('/me')).body.code).toBe('SESSION_REVOKED');
});
