import { expect, test } from 'vitest';
import { browser, type Client, nativeClient } from '../../../test/client.js';
import { requestMagicLink } from '../../../test/magic-link.js';
import { startTestService } from '../../../test/service.js';
import { signInAs } from '../../../test/sign-in-as.js';

const MINUTE = 60_000;
const invalidLink = { error: 'This link is not valid any more.', code: 'INVALID_MAGIC_LINK' };

function verify(client: Client, token: unknown) {
  return client.post('/magic-link/verify', { token });
}

test('the token of the link signs in, as `magic-link`', async () => {
  const service = await startTestService();
  const { user } = await signInAs(service);
  const token = await requestMagicLink(service, user.email);

  const { status, body, setCookies } = await verify(nativeClient(service), token);

  expect(status).toBe(200);
  expect(Object.keys(body).sort()).toEqual(['accessToken', 'refreshToken', 'success']);
  expect(setCookies).toEqual([]);
  const me = await nativeClient(service, body.accessToken).get('/me');
  expect(me.body).toMatchObject({ sub: user.id, isEmailVerified: true });
  expect(await service.events()).toContainEqual(
    expect.objectContaining({
      event: 'identity.auth.login.success',
      data: { method: 'magic-link' },
      metadata: expect.objectContaining({ userId: user.id }),
    }),
  );
});

test('a browser gets cookies and no tokens in the body', async () => {
  const service = await startTestService();
  const { user } = await signInAs(service);
  const client = browser(service);

  const { status, body } = await verify(client, await requestMagicLink(service, user.email));

  expect([status, body]).toEqual([200, { success: true }]);
  expect((await client.get('/me')).body.sub).toBe(user.id);
});

test('replay: a link works once', async () => {
  const service = await startTestService();
  const { user } = await signInAs(service);
  const token = await requestMagicLink(service, user.email);
  const client = nativeClient(service);

  await verify(client, token);
  const again = await verify(client, token);

  expect([again.status, again.body]).toEqual([400, invalidLink]);
});

test('race: of twenty parallel uses of one link exactly one signs in', async () => {
  const service = await startTestService();
  const { user, sessionId } = await signInAs(service);
  await service.services.users.markEmailVerified(user.id);
  const token = await requestMagicLink(service, user.email);
  const rivals = Array.from({ length: 20 }, () => nativeClient(service));

  const answers = await Promise.all(rivals.map((client) => verify(client, token)));

  const losers = answers.filter(({ status }) => status !== 200);
  expect(losers.map(({ status, body }) => [status, body])).toEqual(
    Array(19).fill([400, invalidLink]),
  );
  const sessions = await service.services.sessions.listOfUser(user.id);
  expect(sessions.filter(({ id }) => id !== sessionId)).toHaveLength(1);
});

test('a link lives for 15 minutes; an expired one is answered like one that never was', async () => {
  const service = await startTestService();
  const { email } = (await signInAs(service)).user;
  const client = nativeClient(service);

  const inTime = await requestMagicLink(service, email);
  service.advance(15 * MINUTE - 5000);
  expect((await verify(client, inTime)).status).toBe(200);

  const late = await requestMagicLink(service, email);
  service.advance(15 * MINUTE + 1000);
  for (const token of [late, 'f'.repeat(64), 'Ünïcödé 🔗', '0']) {
    const { status, body } = await verify(client, token);
    expect([status, body]).toEqual([400, invalidLink]);
  }
});

test('a new mail voids the link of an older one', async () => {
  const service = await startTestService();
  const { email } = (await signInAs(service)).user;
  const client = nativeClient(service);

  const older = await requestMagicLink(service, email);
  const newer = await requestMagicLink(service, email);

  expect((await verify(client, older)).body).toEqual(invalidLink);
  expect((await verify(client, newer)).status).toBe(200);
});

test('mail scanners: nothing but a POST with the token uses the link up', async () => {
  const service = await startTestService();
  const { email } = (await signInAs(service)).user;
  const token = await requestMagicLink(service, email);
  const client = nativeClient(service);

  for (const method of ['GET', 'HEAD', 'OPTIONS']) {
    const path = `/magic-link/verify?token=${token}`;
    const { status } = await client.send(method, path);
    expect(status === 200 && method !== 'OPTIONS').toBe(false);
  }

  expect((await verify(client, token)).status).toBe(200);
});

test('login CSRF: a page of another origin cannot have its own link used', async () => {
  const service = await startTestService();
  const { email } = (await signInAs(service)).user;
  const token = await requestMagicLink(service, email);
  const client = browser(service);

  const { status, body } = await client.post(
    '/magic-link/verify',
    { token },
    { origin: 'https://evil.example' },
  );

  expect([status, body.code]).toEqual([403, 'ORIGIN_NOT_ALLOWED']);
  expect((await client.get('/me')).status).toBe(401);
  expect((await verify(client, token)).status).toBe(200);
});

test('a link that was mailed to an address which the account has left opens nothing', async () => {
  const service = await startTestService();
  const { user } = await signInAs(service);
  const token = await requestMagicLink(service, user.email);
  await service.services.users.changeEmail(user.id, 'elsewhere@example.com');

  expect((await verify(nativeClient(service), token)).body).toEqual(invalidLink);
});

test('the link of a deleted account opens nothing, nor the account that takes its address', async () => {
  const service = await startTestService();
  const { user } = await signInAs(service);
  const token = await requestMagicLink(service, user.email);
  await service.services.users.delete(user.id);
  await signInAs(service, { email: user.email });

  expect((await verify(nativeClient(service), token)).body).toEqual(invalidLink);
});

test('an account that was disabled meanwhile: only the right link hears of it', async () => {
  const service = await startTestService();
  const { user } = await signInAs(service);
  const token = await requestMagicLink(service, user.email);
  await service.services.db.updateTable('users').set({ disabled_at: 1 }).execute();
  const client = nativeClient(service);

  const { status, body } = await verify(client, token);

  expect([status, body.code]).toEqual([403, 'ACCOUNT_DISABLED']);
  expect((await verify(client, 'f'.repeat(64))).body).toEqual(invalidLink);
});

test('token type confusion: no other token of the service signs in', async () => {
  const service = await startTestService();
  const { user, accessToken } = await signInAs(service);
  const { oneTimeTokens } = service.services;
  const ofOtherKind = await oneTimeTokens.issue('another-kind', user.id, MINUTE);

  for (const token of [ofOtherKind, accessToken.slice(0, 512), user.id]) {
    expect((await verify(nativeClient(service), token)).body).toEqual(invalidLink);
  }
  expect(await oneTimeTokens.consume('another-kind', ofOtherKind)).toBeDefined();
});

test.each([
  ['missing', undefined],
  ['null', null],
  ['a number', 1],
  ['a list', ['f'.repeat(64)]],
  ['empty', ''],
  ['endless', 'f'.repeat(5000)],
  ['cut by NUL', `${'f'.repeat(64)}\0`],
])('a token that is %s is a mistake of the request', async (_name, token) => {
  const service = await startTestService();

  const { status, body } = await verify(nativeClient(service), token);

  expect([status, body.code]).toEqual([400, 'VALIDATION_FAILED']);
});
