import { expect, test } from 'vitest';
import { nativeClient } from '../../../test/client.js';
import { linkTokenIn, requestMagicLink } from '../../../test/magic-link.js';
import { startTestService, type TestService } from '../../../test/service.js';
import { signInAs } from '../../../test/sign-in-as.js';
import { openChallenge } from '../second-factor/challenge.js';

const MINUTE = 60_000;

/** Somebody whose address is verified and who has done the first step of a sign-in. */
async function atSecondStep(service: TestService, { method = 'local', isVerified = true } = {}) {
  const { user, accessToken } = await signInAs(service);
  if (isVerified) await service.services.users.markEmailVerified(user.id);
  const tempToken = await openChallenge(service.services, { userId: user.id, method });
  return { user, accessToken, tempToken };
}

function send(service: TestService, tempToken: unknown) {
  return nativeClient(service).post('/magic-link/send', { mode: '2fa', tempToken });
}

async function requestSecondLink(service: TestService, tempToken: string): Promise<string> {
  await send(service, tempToken);
  return linkTokenIn((await service.mails()).at(-1));
}

function verify(service: TestService, tempToken: unknown, token: unknown) {
  return nativeClient(service).post('/magic-link/verify', { mode: '2fa', tempToken, token });
}

test('a mailed link finishes a sign-in', async () => {
  const service = await startTestService();
  const { user, tempToken } = await atSecondStep(service);

  const sent = await send(service, tempToken);
  expect([sent.status, sent.body]).toEqual([200, { success: true }]);
  const [mail] = await service.mails();
  expect(mail).toMatchObject({ to: user.email, subject: 'Finish signing in' });
  const { status, body } = await verify(service, tempToken, linkTokenIn(mail));

  expect(status).toBe(200);
  expect((await nativeClient(service, body.accessToken).get('/me')).body.sub).toBe(user.id);
});

test('the second step needs its temp token', async () => {
  const service = await startTestService();
  const { tempToken, accessToken } = await atSecondStep(service);
  const token = await requestSecondLink(service, tempToken);

  for (const missing of [undefined, '']) {
    expect((await send(service, missing)).body.code).toBe('TEMP_TOKEN_REQUIRED');
    expect((await verify(service, missing, token)).body.code).toBe('TEMP_TOKEN_REQUIRED');
  }
  for (const wrong of ['nonsense', accessToken, `${tempToken}x`]) {
    const [sent, used] = [await send(service, wrong), await verify(service, wrong, token)];
    expect([sent.status, sent.body.code]).toEqual([400, 'INVALID_TEMP_TOKEN']);
    expect([used.status, used.body.code]).toEqual([400, 'INVALID_TEMP_TOKEN']);
  }
  expect((await verify(service, tempToken, token)).status).toBe(200);
});

test('a link that signs in is not a second step, and stays good for what it is', async () => {
  const service = await startTestService();
  const { user, tempToken } = await atSecondStep(service);
  const token = await requestMagicLink(service, user.email);

  const { status, body } = await verify(service, tempToken, token);

  expect([status, body.code]).toEqual([400, 'TOKEN_MISMATCH']);
  const login = await nativeClient(service).post('/magic-link/verify', { token });
  expect(login.status).toBe(200);
});

test('the link of a second step signs nobody in by itself', async () => {
  const service = await startTestService();
  const { tempToken } = await atSecondStep(service);
  const token = await requestSecondLink(service, tempToken);

  for (const body of [{ token }, { token, tempToken }, { token, tempToken, mode: 'login' }]) {
    const answer = await nativeClient(service).post('/magic-link/verify', body);
    expect([answer.status, answer.body.code]).toEqual([400, 'TOKEN_MISMATCH']);
  }
  expect((await verify(service, tempToken, token)).status).toBe(200);
});

test('a link of another user, or of another sign-in of one user, does not do', async () => {
  const service = await startTestService();
  const ada = await atSecondStep(service);
  const mallory = await atSecondStep(service);
  const second = await openChallenge(service.services, { userId: ada.user.id, method: 'local' });
  const ofMallory = await requestSecondLink(service, mallory.tempToken);
  const ofAda = await requestSecondLink(service, ada.tempToken);

  for (const [tempToken, token] of [
    [ada.tempToken, ofMallory],
    [mallory.tempToken, ofAda],
    [second, ofAda],
  ]) {
    const { status, body } = await verify(service, tempToken, token);
    expect([status, body.code]).toEqual([400, 'TOKEN_MISMATCH']);
  }
  expect((await verify(service, ada.tempToken, ofAda)).status).toBe(200);
});

test('who got in by a link cannot finish by another one', async () => {
  const service = await startTestService();
  const { tempToken } = await atSecondStep(service, { method: 'magic-link' });

  const { status, body } = await send(service, tempToken);

  expect([status, body.code]).toEqual([400, 'INVALID_TEMP_TOKEN']);
  expect(await service.mails()).toEqual([]);
  expect((await verify(service, tempToken, 'f'.repeat(64))).body.code).toBe('INVALID_MAGIC_LINK');
});

test('an address that is not verified is no second factor', async () => {
  const service = await startTestService();
  const { tempToken } = await atSecondStep(service, { isVerified: false });

  expect((await send(service, tempToken)).body.code).toBe('INVALID_TEMP_TOKEN');
  expect(await service.mails()).toEqual([]);
});

test('a sign-in by link is asked for a second factor, of which the link is none', async () => {
  const service = await startTestService();
  const { user } = await signInAs(service);
  await service.services.settings.set('require2FA', true);
  const token = await requestMagicLink(service, user.email);

  const { status, body } = await nativeClient(service).post('/magic-link/verify', { token });

  expect([status, body.code]).toEqual([403, '2FA_SETUP_REQUIRED']);
});

test('race: of twenty parallel uses of one link exactly one finishes the sign-in', async () => {
  const service = await startTestService();
  const { user, tempToken } = await atSecondStep(service);
  const token = await requestSecondLink(service, tempToken);
  const before = await service.services.sessions.listOfUser(user.id);

  const answers = await Promise.all(
    Array.from({ length: 20 }, () => verify(service, tempToken, token)),
  );

  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 400]));
  const after = await service.services.sessions.listOfUser(user.id);
  expect(after).toHaveLength(before.length + 1);
});

test('the link dies with its sign-in: after five minutes, or five wrong ones', async () => {
  const service = await startTestService();
  const late = await atSecondStep(service);
  const guessed = await atSecondStep(service);
  const ofGuessed = await requestSecondLink(service, guessed.tempToken);
  for (let guess = 0; guess < 5; guess++) {
    const { body } = await verify(service, guessed.tempToken, 'f'.repeat(64));
    expect(body.code).toBe('INVALID_MAGIC_LINK');
  }
  expect((await verify(service, guessed.tempToken, ofGuessed)).body.code).toBe(
    'INVALID_TEMP_TOKEN',
  );

  const ofLate = await requestSecondLink(service, late.tempToken);
  service.advance(5 * MINUTE + 1000);
  expect((await verify(service, late.tempToken, ofLate)).body.code).toBe('INVALID_TEMP_TOKEN');
});

test.each([
  ['a mode that there is none of', { mode: '3fa', email: 'ada@example.com' }],
  ['a mode that is null', { mode: null, email: 'ada@example.com' }],
  ['a temp token that is a number', { mode: '2fa', tempToken: 1 }],
  ['a temp token without end', { mode: '2fa', tempToken: 'x'.repeat(5000) }],
  ['a first step without an address', { mode: 'login', tempToken: 'x' }],
])('%s is a mistake of the request', async (_name, body) => {
  const service = await startTestService();

  const answer = await nativeClient(service).post('/magic-link/send', body);

  expect([answer.status, answer.body.code]).toEqual([400, 'VALIDATION_FAILED']);
});
