import { expect, test, vi } from 'vitest';
import { readConfig } from '../src/config.js';
import { createSmtpMailer } from '../src/mail/mailer.js';
import { browser, nativeClient } from './client.js';
import { SECRETS } from './environment.js';
import { accountAt, EMAIL, linksOf, linkTokenTo } from './flows/link.js';
import {
  linkTokenIn,
  requestMagicLink,
  sendLink,
  verifyLink,
  withLink,
} from './flows/magic-link.js';
import { closedGate } from './gate.js';
import { ADA } from './policy.js';
import { startTestService } from './service.js';
import { signInAs } from './sign-in-as.js';
import { startSmtpInbox } from './smtp-inbox.js';

const invalidLink = { error: 'This link is no longer valid.', code: 'INVALID_MAGIC_LINK' };

const OTHER = 'ada@home.example';

const HOUR = 60 * 60 * 1000;

const invalidEmailLink = { error: 'This link is no longer valid.', code: 'INVALID_LINK_TOKEN' };

test('a link that was sent by a real mail server signs in', async () => {
  const inbox = await startSmtpInbox();
  const MAIL_FROM = 'Acme: Auth (EU) <no-reply@auth.test>';
  const sender = readConfig({ ...SECRETS, MAIL_FROM });
  const service = await startTestService({}, { mailer: createSmtpMailer(sender, inbox.url) });
  const { user } = await signInAs(service);

  await sendLink(service, user.email);
  await service.idle();

  const [mail, ...others] = inbox.received;
  expect(others).toEqual([]);
  expect(mail).toMatchObject({ from: 'no-reply@auth.test', to: [user.email] });
  expect(mail?.message).toContain('From: "Acme: Auth (EU)" <no-reply@auth.test>');
  const token = linkTokenIn({ text: mail?.message ?? '' });
  expect((await verifyLink(nativeClient(service), token)).status).toBe(200);
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

  expect((await sendLink(service, user.email)).status).toBe(200);

  const sending = service.idle();
  await vi.waitFor(() => expect(findByEmail).toHaveBeenCalled(), 30_000);
  expect(sendMail).not.toHaveBeenCalled();
  lookUp.open();
  await sending;
  expect(sendMail).toHaveBeenCalledOnce();
});

test('an unknown or malformed language gets English', async () => {
  const service = await startTestService();
  for (const emailLang of ['tlh', '__proto__', 7, null, 'x'.repeat(5000)]) {
    const { email } = (await signInAs(service)).user;
    await nativeClient(service).post('/magic-link/send', { email, emailLang });
  }
  const subjects = (await service.mails()).map(({ subject }) => subject);
  expect(subjects).toEqual(Array(5).fill(subjects[0]));
});

test('an account that was disabled meanwhile: only the right link shows it', async () => {
  const { service, token, client } = await withLink();
  await service.services.db.updateTable('users').set({ disabled_at: 1 }).execute();
  const { status, body } = await verifyLink(client, token);
  expect([status, body.code]).toEqual([403, 'ACCOUNT_DISABLED']);
  expect((await verifyLink(client, 'f'.repeat(64))).body).toEqual(invalidLink);
});

test('a wrong link emits an event, without the link', async () => {
  const service = await startTestService();
  const token = 'f'.repeat(64);
  await verifyLink(nativeClient(service), token);
  const data = { method: 'magic-link', reason: 'INVALID_MAGIC_LINK', email: '' };
  const events = await service.events();
  expect(events).toMatchObject([{ event: 'identity.auth.login.failed', data }]);
  expect(JSON.stringify(events)).not.toContain(token);
});

test('an address or a token of a wrong type is refused; text that is no address is unknown', async () => {
  const service = await startTestService();
  for (const email of [undefined, null, 1, ['ada@example.com'], { $ne: '' }]) {
    expect((await sendLink(service, email)).body.code).toBe('VALIDATION_FAILED');
  }
  for (const email of ['', 'ada', `${'a'.repeat(600)}@example.com`]) {
    expect((await sendLink(service, email)).body).toEqual({ success: true });
  }
  for (const token of [undefined, null, 1, ['f'.repeat(64)], '', 'f'.repeat(5000)]) {
    const { status, body } = await verifyLink(nativeClient(service), token);
    expect([status, body.code]).toEqual([400, 'VALIDATION_FAILED']);
  }
});

test('a newly registered user signs in by a mailed link', async () => {
  const service = await startTestService();
  const client = nativeClient(service);

  const { status, body } = await client.post('/register', { ...ADA, firstName: 'Ada' });
  const token = await requestMagicLink(service, ADA.email);
  const { body: tokens } = await client.post('/magic-link/verify', { token });

  expect(status).toBe(201);
  const me = await nativeClient(service, tokens.accessToken).get('/me');
  const metadata = { firstName: 'Ada' };
  expect(me.body).toMatchObject({ sub: body.userId, isEmailVerified: true, metadata });
});

test('with neither a session nor a conflict the answer is the same for every address', async () => {
  const service = await startTestService();
  await signInAs(service, { email: EMAIL });

  for (const body of [
    { email: EMAIL },
    { email: EMAIL, provider: 'acme' },
    { email: 'nobody@example.com', provider: 'acme' },
  ]) {
    const { status, body: answer } = await nativeClient(service).post('/link-request', body);
    expect([status, answer]).toEqual([
      401,
      { error: 'Sign in to continue.', code: 'INVALID_TOKEN' },
    ]);
  }
  expect(await service.mails()).toEqual([]);
});

test('a link works for an hour, a new one voids the older', async () => {
  const service = await startTestService();
  const { client } = await signInAs(service, { email: EMAIL });
  await client.post('/link-request', { email: OTHER });
  const older = await linkTokenTo(service, OTHER);
  await client.post('/link-request', { email: OTHER });
  const newer = await linkTokenTo(service, OTHER);

  expect((await client.post('/link-verify', { token: older })).body).toEqual(invalidEmailLink);
  service.advance(HOUR + 1000);
  const late = await nativeClient(service).post('/link-verify', { token: newer });
  expect(late.body).toEqual(invalidEmailLink);
});

test('a list has your own links only', async () => {
  const service = await startTestService();
  const { user } = await signInAs(service);
  await service.services.accountLinking.add(user.id, accountAt('acme', '1'));
  const { client } = await signInAs(service);

  expect(await linksOf(client)).toEqual([]);
  expect((await nativeClient(service).get('/linked-accounts')).body.code).toBe('INVALID_TOKEN');
});

test('attack: a link signs in neither to an account that has left its address, nor to the next one of that address', async () => {
  const { service, ada, token, client } = await withLink();
  await service.services.users.changeEmail(ada.user.id, 'elsewhere@example.com');
  expect((await verifyLink(client, token)).body).toEqual(invalidLink);

  const newer = await requestMagicLink(service, 'elsewhere@example.com');
  await service.services.users.delete(ada.user.id);
  await signInAs(service, { email: 'elsewhere@example.com' });
  expect((await verifyLink(client, newer)).body).toEqual(invalidLink);
});

test('a browser gets cookies and no tokens in the body', async () => {
  const { service, ada, token } = await withLink();
  const client = browser(service);
  expect((await verifyLink(client, token)).body).toEqual({ success: true });
  expect((await client.get('/me')).body.sub).toBe(ada.user.id);
});
