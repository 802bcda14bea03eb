import { expect, test } from 'vitest';
import { browser, nativeClient } from '../../../test/client.js';
import { accountAt, EMAIL, linksOf, linkTokenTo, meetConflict } from '../../../test/linking.js';
import { startTestService } from '../../../test/service.js';
import { signInAs, signInBrowserAs } from '../../../test/sign-in-as.js';

const HOUR = 60 * 60 * 1000;
const OTHER = 'ada@home.example';
const invalidLink = { error: 'This link is not valid any more.', code: 'INVALID_LINK_TOKEN' };

test('pre-hijacking: who waited in an unproven account is out once its owner links theirs', async () => {
  const service = await startTestService();
  const { services } = service;
  const { client: squatter, user } = await signInAs(service, { email: EMAIL });
  await services.accountLinking.add(user.id, accountAt('acme', 'of the squatter'));
  await meetConflict(service);
  const owner = browser(service);
  await owner.post('/link-request', { email: EMAIL, provider: 'acme' });

  const token = await linkTokenTo(service, EMAIL);
  await owner.post('/link-verify', { token, loginAfterLinking: true });

  expect((await squatter.get('/me')).body.code).toBe('SESSION_REVOKED');
  expect(await linksOf(owner)).toEqual([['acme', '1']]);
  expect((await owner.get('/me')).body.isEmailVerified).toBe(true);
});

test('race: of twenty parallel uses of one link exactly one counts', async () => {
  const service = await startTestService();
  const { client } = await signInAs(service, { email: EMAIL });
  await client.post('/link-request', { email: OTHER });
  const token = await linkTokenTo(service, OTHER);

  const answers = await Promise.all(
    Array.from({ length: 20 }, () => nativeClient(service).post('/link-verify', { token })),
  );

  const losers = answers.filter(({ status }) => status !== 200);
  expect(losers.map(({ status, body }) => [status, body])).toEqual(
    Array(19).fill([400, invalidLink]),
  );
  expect(await linksOf(client)).toEqual([['email', OTHER]]);
});

test('race: an account elsewhere is linked to one account here, however many want it', async () => {
  const service = await startTestService();
  const { services } = service;
  const users = await Promise.all(Array.from({ length: 20 }, () => signInAs(service)));

  const added = await Promise.all(
    users.map(({ user }) => services.accountLinking.add(user.id, accountAt('acme', '1'))),
  );

  expect(added.filter(Boolean)).toHaveLength(1);
});

test('a link works for an hour, a new one voids the older', async () => {
  const service = await startTestService();
  const { client } = await signInAs(service, { email: EMAIL });
  await client.post('/link-request', { email: OTHER });
  const older = await linkTokenTo(service, OTHER);
  await client.post('/link-request', { email: OTHER });
  const newer = await linkTokenTo(service, OTHER);

  expect((await client.post('/link-verify', { token: older })).body).toEqual(invalidLink);
  service.advance(HOUR + 1000);
  const late = await nativeClient(service).post('/link-verify', { token: newer });
  expect(late.body).toEqual(invalidLink);
});

test('an address with an account of its own is answered alike; its owner is told, and nothing linked', async () => {
  const service = await startTestService();
  const { client } = await signInAs(service, { email: EMAIL });
  await signInAs(service, { email: OTHER });

  const { status, body } = await client.post('/link-request', { email: OTHER });

  expect([status, body]).toEqual([200, { success: true }]);
  const [mail] = await service.mails();
  expect(mail).toMatchObject({ to: OTHER, subject: 'Somebody tried to link your address' });
  expect(mail?.text).not.toContain('token=');
});

test('an address that gets an account after the mail is not linked to another', async () => {
  const service = await startTestService();
  const { client } = await signInAs(service, { email: EMAIL });
  await client.post('/link-request', { email: OTHER });
  const token = await linkTokenTo(service, OTHER);
  await signInAs(service, { email: OTHER });

  expect((await client.post('/link-verify', { token })).body).toEqual(invalidLink);
});

test('takeover: a thief who was put out does not get in by an address of theirs', async () => {
  const service = await startTestService();
  const { client: thief, sessionId } = await signInAs(service, { email: EMAIL });
  const { client: owner } = await signInAs(service, { email: EMAIL });
  await thief.post('/link-request', { email: OTHER });
  const token = await linkTokenTo(service, OTHER);

  await owner.delete(`/sessions/${sessionId}`);

  const answer = await nativeClient(service).post('/link-verify', {
    token,
    loginAfterLinking: true,
  });
  expect([answer.status, answer.body]).toEqual([400, invalidLink]);
  expect(await linksOf(owner)).toEqual([]);
});

test('a stolen old session adds no way in: that takes a recent sign-in', async () => {
  const service = await startTestService({ ACCESS_TOKEN_TTL: '1h' });
  const { client } = await signInAs(service, { email: EMAIL });
  service.advance(16 * 60 * 1000);

  const { status, body } = await client.post('/link-request', { email: OTHER });

  expect([status, body.code]).toEqual([403, 'REAUTHENTICATION_REQUIRED']);
});

test('CSRF: another site cannot ask in a signed-in browser', async () => {
  const service = await startTestService();
  const { client } = await signInBrowserAs(service, { email: EMAIL });

  const { status, body } = await client.post(
    '/link-request',
    { email: OTHER },
    { 'x-csrf-token': 'guessed' },
  );

  expect([status, body.code]).toEqual([403, 'CSRF_INVALID']);
});

test.each([
  ['/link-request', {}],
  ['/link-request', { email: 1 }],
  ['/link-request', { email: 'no address' }],
  ['/link-request', { email: EMAIL, provider: 1 }],
  ['/link-request', { email: EMAIL, provider: 'x'.repeat(65) }],
  ['/link-request', { email: EMAIL, provider: 'a\0b' }],
  ['/link-verify', {}],
  ['/link-verify', { token: 1 }],
  ['/link-verify', { token: '' }],
  ['/link-verify', { token: 'f'.repeat(513) }],
  ['/link-verify', { token: 'f', loginAfterLinking: 'yes' }],
])('bad input to %s: %j', async (path, body) => {
  const service = await startTestService();
  const { client } = await signInAs(service);

  const answer = await client.post(path, body);

  expect([answer.status, answer.body.code]).toEqual([400, 'VALIDATION_FAILED']);
});
