import { expect, test, vi } from 'vitest';
import { browser, type Client, nativeClient } from '../../../test/client.js';
import { closedGate } from '../../../test/gate.js';
import { linkTokenIn, requestMagicLink } from '../../../test/magic-link.js';
import { startTestService, type TestService } from '../../../test/service.js';
import { signInAs } from '../../../test/sign-in-as.js';
import { startSmtpInbox } from '../../../test/smtp-inbox.js';
import type { Config } from '../../config.js';
import { createSmtpMailer } from '../../mail/mailer.js';

const MINUTE = 60_000;
const LINK = /https:\/\/app\.example\.com\/magic-link\?token=[0-9a-f]{64}(?=["\s<]|$)/;
const invalidLink = { error: 'This link is no longer valid.', code: 'INVALID_MAGIC_LINK' };

function send(service: TestService, email: unknown, headers = {}) {
  return nativeClient(service).post('/magic-link/send', { email }, headers);
}

function verify(client: Client, token: unknown) {
  return client.post('/magic-link/verify', { token });
}

/** Somebody with an account, and a link that was mailed to them. */
async function withLink() {
  const service = await startTestService();
  const ada = await signInAs(service, { email: 'ada@example.com' });
  const token = await requestMagicLink(service, ada.user.email);
  return { service, ada, token, client: nativeClient(service) };
}

test('the token of the link signs in, as `magic-link`, and verifies the address', async () => {
  const { service, ada, token, client } = await withLink();
  expect((await service.services.users.findById(ada.user.id))?.emailVerifiedAt).toBeNull();

  const { status, body, setCookies } = await verify(client, token);

  expect([status, setCookies]).toEqual([200, []]);
  expect(Object.keys(body).sort()).toEqual(['accessToken', 'refreshToken', 'success']);
  const me = await nativeClient(service, body.accessToken).get('/me');
  expect(me.body).toMatchObject({ sub: ada.user.id, isEmailVerified: true });
  const events = (await service.events()).filter(({ event }) => event.startsWith('identity.'));
  expect(events).toContainEqual(
    expect.objectContaining({
      event: 'identity.auth.login.success',
      data: { method: 'magic-link' },
      metadata: expect.objectContaining({ userId: ada.user.id }),
    }),
  );
  const again = await verify(client, token);
  expect([again.status, again.body]).toEqual([400, invalidLink]);
});

test('a browser gets cookies and no tokens in the body', async () => {
  const { service, ada, token } = await withLink();
  const client = browser(service);
  expect((await verify(client, token)).body).toEqual({ success: true });
  expect((await client.get('/me')).body.sub).toBe(ada.user.id);
});

test('a link that went by a real mail server signs in', async () => {
  const inbox = await startSmtpInbox();
  const sender = { MAIL_FROM: 'Auth <no-reply@auth.test>', isProduction: false } as Config;
  const service = await startTestService({}, { mailer: createSmtpMailer(sender, inbox.url) });
  const { user } = await signInAs(service);

  await send(service, user.email);
  await service.idle();

  const [mail, ...others] = inbox.received;
  expect(others).toEqual([]);
  expect(mail).toMatchObject({ from: 'no-reply@auth.test', to: [user.email] });
  const token = linkTokenIn({ text: mail?.message ?? '' });
  expect((await verify(nativeClient(service), token)).status).toBe(200);
});

test('host header injection: the link leads to the front end, wherever the request says it came to', async () => {
  const service = await startTestService({ APP_URL: 'https://app.example.com' });
  await signInAs(service, { email: 'ada@example.com' });
  const { status, body } = await send(service, ' ＡDA@Example.com ', {
    host: 'evil.example',
    'x-forwarded-host': 'evil.example',
    referer: 'https://evil.example/',
  });

  expect([status, body]).toEqual([200, { success: true }]);
  const [mail] = await service.mails();
  expect(mail).toMatchObject({ to: 'ada@example.com', name: 'magicLink' });
  expect(mail?.text).toMatch(LINK);
  expect(mail?.html).toMatch(LINK);
  expect(JSON.stringify(mail)).not.toContain('evil');
});

test('enumeration: an unknown and a disabled account are answered alike, and mailed nothing', async () => {
  const service = await startTestService();
  const { user: eve } = await signInAs(service);
  await service.services.db.updateTable('users').set({ disabled_at: 1 }).execute();
  const { user: ada } = await signInAs(service);

  const known = await send(service, ada.email);
  for (const email of [eve.email, 'nobody@example.com']) {
    const { status, body, headers } = await send(service, email);
    expect([status, body]).toEqual([known.status, known.body]);
    expect([...headers.keys()]).toEqual([...known.headers.keys()]);
  }
  expect((await service.mails()).map(({ to }) => to)).toEqual([ada.email]);
  expect(await service.services.users.findByEmail('nobody@example.com')).toBeUndefined();
});

test('enumeration by time: the answer waits neither for the look-up nor for the mail', async () => {
  const sendMail = vi.fn(async () => {
    throw new Error('no route to host');
  });
  const service = await startTestService({}, { mailer: { send: sendMail } });
  const { user } = await signInAs(service);
  const lookUp = closedGate();
  const findByEmail = vi.spyOn(service.services.users, 'findByEmail');
  findByEmail.mockImplementation(async () => {
    await lookUp.opened;
    return user;
  });

  expect((await send(service, user.email)).status).toBe(200);

  const sending = service.idle();
  await vi.waitFor(() => expect(findByEmail).toHaveBeenCalled());
  expect(sendMail).not.toHaveBeenCalled();
  lookUp.open();
  await sending;
  expect(sendMail).toHaveBeenCalledOnce();
});

test('a language that there is none of, or that is nonsense, gets English', async () => {
  const service = await startTestService();
  for (const emailLang of ['tlh', '__proto__', 7, null, 'x'.repeat(5000)]) {
    const { email } = (await signInAs(service)).user;
    await nativeClient(service).post('/magic-link/send', { email, emailLang });
  }
  const subjects = (await service.mails()).map(({ subject }) => subject);
  expect(subjects).toEqual(Array(5).fill(subjects[0]));
});

test('race: of twenty parallel uses of one link exactly one signs in', async () => {
  const { service, ada, token } = await withLink();
  await service.services.users.markEmailVerified(ada.user.id);
  const uses = Array.from({ length: 20 }, () => verify(nativeClient(service), token));

  const losers = (await Promise.all(uses)).filter(({ status }) => status !== 200);

  expect(losers.map(({ body }) => body)).toEqual(Array(19).fill(invalidLink));
  expect(await service.services.sessions.listOfUser(ada.user.id)).toHaveLength(2);
});

test('a link lives for 15 minutes, and a new one voids the older', async () => {
  const { service, ada, token, client } = await withLink();
  const newer = await requestMagicLink(service, ada.user.email);
  expect((await verify(client, token)).body).toEqual(invalidLink);
  service.advance(15 * MINUTE - 5000);
  expect((await verify(client, newer)).status).toBe(200);

  const late = await requestMagicLink(service, ada.user.email);
  service.advance(15 * MINUTE + 1000);
  expect((await verify(client, late)).body).toEqual(invalidLink);
});

test('token type confusion: nothing else that the service made, or has stored, signs in', async () => {
  const { service, ada, token, client } = await withLink();
  const { oneTimeTokens, db } = service.services;
  const rows = await db.selectFrom('one_time_tokens').selectAll().execute();
  expect(JSON.stringify(rows)).not.toContain(token);
  const stored = Object.values(rows[0] ?? {}).map(String);
  const ofOtherKind = await oneTimeTokens.issue('another-kind', ada.user.id, MINUTE);

  const others = [ofOtherKind, ada.accessToken.slice(0, 512), 'f'.repeat(64), 'Ünïcödé 🔗'];
  for (const other of [...stored, ...others]) {
    expect((await verify(client, other)).body).toEqual(invalidLink);
  }
  expect(await oneTimeTokens.consume('another-kind', ofOtherKind)).toBeDefined();
});

test('attack: neither the visit of a mail scanner nor a page of another origin uses the link', async () => {
  const { service, token } = await withLink();
  const client = browser(service);
  for (const method of ['GET', 'HEAD', 'OPTIONS']) {
    await client.send(method, `/magic-link/verify?token=${token}`);
  }
  const evil = { origin: 'https://evil.example' };
  const { status, body } = await client.post('/magic-link/verify', { token }, evil);
  expect([status, body.code]).toEqual([403, 'ORIGIN_NOT_ALLOWED']);
  expect((await client.get('/me')).status).toBe(401);
  expect((await verify(client, token)).status).toBe(200);
});

test('attack: a link opens no account that has left its address, nor the next one of that address', async () => {
  const { service, ada, token, client } = await withLink();
  await service.services.users.changeEmail(ada.user.id, 'elsewhere@example.com');
  expect((await verify(client, token)).body).toEqual(invalidLink);

  const newer = await requestMagicLink(service, 'elsewhere@example.com');
  await service.services.users.delete(ada.user.id);
  await signInAs(service, { email: 'elsewhere@example.com' });
  expect((await verify(client, newer)).body).toEqual(invalidLink);
});

test('an account that was disabled meanwhile: only the right link hears of it', async () => {
  const { service, token, client } = await withLink();
  await service.services.db.updateTable('users').set({ disabled_at: 1 }).execute();
  const { status, body } = await verify(client, token);
  expect([status, body.code]).toEqual([403, 'ACCOUNT_DISABLED']);
  expect((await verify(client, 'f'.repeat(64))).body).toEqual(invalidLink);
});

test('pre-hijacking: the first link signs out whoever opened the account in wait for its owner', async () => {
  const { service, ada: thief, token, client } = await withLink();
  const owner = await verify(client, token);
  expect((await thief.client.get('/me')).body.code).toBe('SESSION_REVOKED');
  const stolen = await client.post('/refresh', { refreshToken: thief.refreshToken });
  expect([stolen.status, stolen.body.code]).toEqual([401, 'SESSION_REVOKED']);

  await verify(client, await requestMagicLink(service, thief.user.email));
  expect((await nativeClient(service, owner.body.accessToken).get('/me')).status).toBe(200);
  const verified = (await service.events()).filter(({ event }) => event.endsWith('verified'));
  expect(verified).toMatchObject([{ data: { email: thief.user.email } }]);
});

test('a wrong link is told to listeners, without the link', async () => {
  const service = await startTestService();
  const token = 'f'.repeat(64);
  await verify(nativeClient(service), token);
  const data = { method: 'magic-link', reason: 'INVALID_MAGIC_LINK', email: '' };
  const events = await service.events();
  expect(events).toMatchObject([{ event: 'identity.auth.login.failed', data }]);
  expect(JSON.stringify(events)).not.toContain(token);
});

test('an address or a token of a wrong type is refused; text that is no address is unknown', async () => {
  const service = await startTestService();
  for (const email of [undefined, null, 1, ['ada@example.com'], { $ne: '' }]) {
    expect((await send(service, email)).body.code).toBe('VALIDATION_FAILED');
  }
  for (const email of ['', 'ada', `${'a'.repeat(600)}@example.com`]) {
    expect((await send(service, email)).body).toEqual({ success: true });
  }
  for (const token of [undefined, null, 1, ['f'.repeat(64)], '', 'f'.repeat(5000)]) {
    const { status, body } = await verify(nativeClient(service), token);
    expect([status, body.code]).toEqual([400, 'VALIDATION_FAILED']);
  }
});
