import { expect, test, vi } from 'vitest';
import type { Mail } from '../src/mail/mailer.js';
import { nativeClient } from './client.js';
import { tokenFor } from './flows/email-change.js';
import { linksOf, linkTokenTo } from './flows/link.js';
import { requestMagicLink, verifyLink } from './flows/magic-link.js';
import { createPasswordAccount, requestResetToken, signInWithPassword } from './flows/password.js';
import { startTestService, type TestService } from './service.js';
import { signInAs } from './sign-in-as.js';

const HOUR = 60 * 60 * 1000;

const OLD = 'old@example.com';

const NEW = 'new@example.com';

const INVALID = 'INVALID_EMAIL_CHANGE_TOKEN';

async function start() {
  const service = await startTestService();
  return { service, ...(await signInAs(service, { email: OLD })) };
}

function confirm(service: TestService, token: unknown) {
  return nativeClient(service).post('/change-email/confirm', { token });
}

test('takeover: a thief who was signed out does not move the account afterwards', async () => {
  const { service, client: thief, sessionId } = await start();
  const { client: owner } = await signInAs(service, { email: OLD });
  const token = await tokenFor(service, thief, NEW);

  await owner.delete(`/sessions/${sessionId}`);

  const { status, body } = await confirm(service, token);
  expect([status, body.code]).toEqual([400, INVALID]);
  expect((await owner.get('/me')).body.email).toBe(OLD);
});

test('takeover: an address that the account has left is not added to it any more', async () => {
  const { service, client } = await start();
  await client.post('/link-request', { email: OLD });
  await client.post('/link-verify', { token: await linkTokenTo(service, OLD) });
  expect(await linksOf(client)).toEqual([['email', OLD]]);

  await confirm(service, await tokenFor(service, client, NEW));

  expect(await linksOf(client)).toEqual([]);
});

test('no link is mailed for an account that was deleted meanwhile, and its mail does not stay queued', async () => {
  const { service, user, sessionId } = await start();
  const { db, mails, users } = service.services;
  await users.delete(user.id);
  // Queued afterwards: the dispatcher may be faster than this test.
  const payload = JSON.stringify({ newEmail: NEW, sessionId });
  await mails.add('emailChange', { userId: user.id, payload });

  expect(await service.mails()).toEqual([]);
  expect(await db.selectFrom('mails').select('name').execute()).toEqual([]);
});

test('an address that is taken after the mail stays its new owner’s', async () => {
  const { service, client } = await start();
  const token = await tokenFor(service, client, NEW);
  await signInAs(service, { email: NEW });

  const { status, body } = await confirm(service, token);

  expect([status, body.code]).toEqual([409, 'EMAIL_IN_USE']);
  expect((await client.get('/me')).body.email).toBe(OLD);
});

test('enumeration: a request for any other address voids the older link, whether or not it has an account', async () => {
  for (const taken of [false, true]) {
    const { service, client } = await start();
    if (taken) await signInAs(service, { email: 'other@example.com' });
    const older = await tokenFor(service, client, NEW);
    await client.post('/change-email/request', { newEmail: 'other@example.com' });
    await service.idle();

    const { status, body } = await confirm(service, older);

    expect([taken, status, body.code]).toEqual([taken, 400, INVALID]);
  }
});

const TYPO = 'typo@example.com';

/** A service whose mails to `TYPO` are held up until `deliver`; `linkTo` finds the token in the last mail to an address. */
async function startWithSlowMailbox() {
  const sent: Mail[] = [];
  let isHeldUp = true;
  const send = async (mail: Mail) => {
    if (isHeldUp && mail.to === TYPO) throw new Error('451 try again later');
    sent.push(mail);
  };
  const service = await startTestService({}, { mailer: { send } });
  const client = (await signInAs(service, { email: OLD })).client;
  const ask = async (path: string, body: object) => {
    expect((await client.post(path, body)).status).toBe(200);
    await service.idle();
  };
  const linkTo = (address: string) =>
    /token=(\w+)/.exec(sent.findLast(({ to }) => to === address)?.text ?? '')?.[1];
  const deliver = async () => {
    isHeldUp = false;
    service.advance(10 * 60_000);
    await service.idle();
  };
  return { service, client, ask, linkTo, deliver };
}

test('takeover: a mail that was held up brings no replaced change back to life, confirmed or not', async () => {
  for (const isConfirmed of [true, false]) {
    const { service, client, ask, linkTo, deliver } = await startWithSlowMailbox();
    await ask('/change-email/request', { newEmail: TYPO });
    await ask('/change-email/request', { newEmail: NEW });
    if (isConfirmed) await confirm(service, linkTo(NEW));

    await deliver();

    expect(linkTo(TYPO)).toBeUndefined();
    if (!isConfirmed) expect((await confirm(service, linkTo(NEW))).status).toBe(200);
    expect((await client.get('/me')).body.email).toBe(NEW);
  }
});

test('takeover: a request whose mail a limit drops voids the link of the one before too', async () => {
  const service = await startTestService({ RATE_LIMIT: 'on' });
  const { client } = await signInAs(service, { email: OLD });
  const { client: other } = await signInAs(service);
  const token = await tokenFor(service, client, TYPO);
  service.advance(61_000);
  await other.post('/change-email/request', { newEmail: NEW });

  const { status } = await client.post('/change-email/request', { newEmail: NEW });

  expect(status).toBe(200);
  expect((await confirm(service, token)).body.code).toBe(INVALID);
});

test('takeover: nor does it bring back the link for another address', async () => {
  const { client, ask, linkTo, deliver } = await startWithSlowMailbox();
  await ask('/link-request', { email: TYPO });
  await ask('/link-request', { email: NEW });
  await ask('/link-verify', { token: linkTo(NEW) });

  await deliver();

  expect(linkTo(TYPO)).toBeUndefined();
  expect(await linksOf(client)).toEqual([['email', NEW]]);
});

test('a change whose mail was held up is still the last one: its link arrives and works', async () => {
  const { service, client, ask, linkTo, deliver } = await startWithSlowMailbox();
  await ask('/change-email/request', { newEmail: TYPO });

  await deliver();

  expect((await confirm(service, linkTo(TYPO))).status).toBe(200);
  expect((await client.get('/me')).body.email).toBe(TYPO);
});

test('race: of twenty accounts that want one address exactly one gets it', async () => {
  const service = await startTestService();
  const tokens: string[] = [];
  for (let nth = 0; nth < 20; nth++) {
    const { client } = await signInAs(service, { email: `rival-${nth}@example.com` });
    tokens.push(await tokenFor(service, client, NEW));
  }

  const answers = await Promise.all(tokens.map((token) => confirm(service, token)));

  const codes = answers.map(({ status, body }) => body.code ?? status);
  expect(codes.filter((code) => code === 200)).toHaveLength(1);
  expect(codes.filter((code) => code === 'EMAIL_IN_USE')).toHaveLength(19);
});

test('a link works for an hour, a new one voids the older, and other tokens are refused', async () => {
  const { service, client, user } = await start();
  const payload = JSON.stringify({ newEmail: NEW, sessionId: '' });
  const other = await service.services.oneTimeTokens.issue('other', user.id, HOUR, payload);
  const older = await tokenFor(service, client, NEW);
  const newer = await tokenFor(service, client, 'newer@example.com');
  for (const token of [older, other, 'f'.repeat(64)]) {
    expect((await confirm(service, token)).body.code).toBe(INVALID);
  }
  service.advance(HOUR + 1000);
  expect((await confirm(service, newer)).body.code).toBe(INVALID);
});

test('what is no new address, or no token, is refused', async () => {
  const { service, client } = await start();
  const broken = 'new@example.com\nbcc: all@example.com';
  for (const newEmail of [undefined, 1, [NEW], 'new.example.com', ' OLD@example.com ', broken]) {
    const { status, body } = await client.post('/change-email/request', { newEmail });
    expect([status, body.code]).toEqual([400, 'VALIDATION_FAILED']);
  }
  expect(await service.mails()).toEqual([]);
  for (const token of [undefined, 1, '', 'f'.repeat(10_000)]) {
    expect((await confirm(service, token)).body.code).toBe('VALIDATION_FAILED');
  }
});

test('in an old session the password is asked for, and the right one is accepted', async () => {
  const service = await startTestService({ ACCESS_TOKEN_TTL: '1h' });
  const account = await createPasswordAccount(service);
  const client = await signInWithPassword(service, account);
  service.advance(16 * 60 * 1000);
  const ask = (currentPassword?: string) =>
    client.post('/change-email/request', { newEmail: NEW, currentPassword });

  const answers = [await ask(), await ask(''), await ask('a guess'), await ask(account.password)];

  expect(answers.map(({ status, body }) => [status, body.code])).toEqual([
    [403, 'REAUTHENTICATION_REQUIRED'],
    [400, 'PASSWORD_REQUIRED'],
    [400, 'INVALID_CURRENT_PASSWORD'],
    [200, undefined],
  ]);
});

test('elsewhere an empty password is none', async () => {
  const service = await startTestService({ ACCESS_TOKEN_TTL: '1h' });
  const client = await signInWithPassword(service, await createPasswordAccount(service));
  service.advance(16 * 60 * 1000);
  const { status, body } = await client.post('/add-phone', { currentPassword: '' });
  expect([status, body.code]).toEqual([403, 'REAUTHENTICATION_REQUIRED']);
});

test('a proof that is no text is refused, however recent the sign-in is', async () => {
  const service = await startTestService();
  const client = await signInWithPassword(service, await createPasswordAccount(service));
  for (const [field, value] of [
    ['currentPassword', 5],
    ['code', ['123456']],
  ] as const) {
    const { status, body } = await client.delete('/account', { [field]: value });
    expect([status, body.code, body.details?.[0]?.path]).toEqual([400, 'VALIDATION_FAILED', field]);
  }
  const fields = { newEmail: NEW, currentPassword: null, code: '' };
  expect((await client.post('/change-email/request', fields)).status).toBe(200);
});

test('attack: a reset link that lies in the old mailbox is void after the change', async () => {
  const service = await startTestService();
  const account = await createPasswordAccount(service);
  const client = await signInWithPassword(service, account);
  const resetToken = await requestResetToken(service, account.email);
  await client.post('/change-email/request', { newEmail: NEW });
  const mail = (await service.mails()).findLast(({ to }) => to === NEW);
  const token = mail?.text.match(/token=([0-9a-f]{64})/)?.[1];

  await client.post('/change-email/confirm', { token });

  const reset = { token: resetToken, newPassword: 'whoever reads the old mail' };
  const { status, body } = await nativeClient(service).post('/reset-password', reset);
  expect([status, body.code]).toEqual([400, 'INVALID_RESET_TOKEN']);
});

test('race: a link from the old mailbox that is being used opens no session after the change', async () => {
  const { service, client, user, sessionId } = await start();
  const token = await tokenFor(service, client, NEW);
  const link = await requestMagicLink(service, OLD);
  const { users, sessions } = service.services;
  const read = users.findAccount;
  // The link is used up already; the change finishes before the sign-in does.
  vi.spyOn(users, 'findAccount').mockImplementationOnce(async (id) => {
    expect((await confirm(service, token)).status).toBe(200);
    return read(id);
  });

  const { status, body } = await verifyLink(nativeClient(service), link);

  expect([status, body.code]).toEqual([400, 'INVALID_MAGIC_LINK']);
  expect((await sessions.listOfUser(user.id)).map(({ id }) => id)).toEqual([sessionId]);
});
