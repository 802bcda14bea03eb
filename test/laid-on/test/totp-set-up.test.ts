import { expect, test, vi } from 'vitest';
import { HttpError } from '../src/http/errors.js';
import { mountsOf } from '../src/http/route.js';
import { proveEmail } from '../src/session/credentials.js';
import { endSessionsOfUser } from '../src/session/end-session.js';
import { nativeClient } from './client.js';
import { passFirstFactor, sentToSetUp } from './factor.js';
import { authenticatorCode, enrolTotp } from './flows/totp.js';
import { startTestService, type TestService } from './service.js';
import { signInAs, someRequest } from './sign-in-as.js';
import { start, withApp } from './with-app.js';

const MINUTE = 60_000;

test('a new set-up that is not confirmed leaves the app in use', async () => {
  const { service, ada } = await start({ ACCESS_TOKEN_TTL: '1h' });
  const { secret } = await enrolTotp(ada);
  await ada.client.post('/2fa/setup');
  service.advance(16 * MINUTE);
  const { status } = await ada.client.post('/2fa/disable', { code: authenticatorCode(secret) });
  expect(status).toBe(200);
});

test('a malformed confirmation is a validation error', async () => {
  const { ada } = await start();
  for (const token of [undefined, 123456, '1'.repeat(5000), '12345\0']) {
    const { status, body } = await ada.client.post('/2fa/verify-setup', { token, secret: 'A' });
    expect([status, body.code]).toEqual([400, 'VALIDATION_FAILED']);
  }
});

test('attack: the set-up token does not replace an app that was set up meanwhile', async () => {
  const { service, ada, client } = await sentToSetUp();
  await service.services.users.markEmailProven(ada.user.id);
  await enrolTotp(ada);
  expect((await client.post('/2fa/setup')).body.code).toBe('INVALID_TOKEN');
});

test('attack: the set-up token is void once the address is proven, or all sessions have ended', async () => {
  const hijacked = await sentToSetUp();
  await proveEmail(hijacked.service.services, someRequest(), hijacked.ada.user);
  expect((await hijacked.client.post('/2fa/setup')).body.code).toBe('INVALID_TOKEN');

  const { service, ada, client } = await sentToSetUp();
  await endSessionsOfUser(service.services, { request: someRequest() }, ada.user.id, 'revoked');
  for (const path of ['/2fa/setup', '/send-verification-email']) {
    expect((await client.post(path)).body.code).toBe('INVALID_TOKEN');
  }
});

test('attack: a sign-in under way when the app was set up cannot be finished', async () => {
  const { service, owner, secret } = await withApp();
  const { tempToken } = await passFirstFactor(service, owner.user.id);
  await enrolTotp(owner);
  const totpCode = authenticatorCode(secret);
  const { body } = await nativeClient(service).post('/2fa/verify', { tempToken, totpCode });
  expect(body.code).toBe('INVALID_TEMP_TOKEN');
});

test('race: of two devices that set an app up at once one is signed in with it, and the other is out', async () => {
  const service = await startTestService();
  const email = 'ada@example.com';
  const [laptop, phone] = [await signInAs(service, { email }), await signInAs(service, { email })];
  const { secret } = (await laptop.client.post('/2fa/setup')).body;
  const confirmation = { token: authenticatorCode(secret), secret };
  const answers = await Promise.all(
    [laptop, phone].map(async (device) => {
      const { status } = await device.client.post('/2fa/verify-setup', confirmation);
      return { device, status };
    }),
  );
  const [winner, ...others] = answers.filter(({ status }) => status === 200);
  expect(others).toEqual([]);
  expect(answers.every(({ status }) => [200, 400, 401].includes(status))).toBe(true);
  const left = await service.services.sessions.listOfUser(laptop.user.id);
  expect(left.map(({ id }) => id)).toEqual([winner?.device.sessionId]);
});

test('race: whoever signs in while the app is set up has no session afterwards without the app', async () => {
  const service = await startTestService();
  for (let round = 0; round < 3; round += 1) {
    const owner = await signInAs(service);
    const { id } = owner.user;
    const signIns = Array.from({ length: 4 }, () => passFirstFactor(service, id));
    const [, ...answers] = await Promise.all([enrolTotp(owner), ...signIns]);
    expect(answers.every((each) => each.accessToken ?? each.requiresTwoFactor)).toBeTruthy();
    const left = await service.services.sessions.listOfUser(id);
    expect(left.map((session) => session.id)).toEqual([owner.sessionId]);
  }
});

test('race: a sign-in that has been checked before the app was set up is asked for it', async () => {
  const service = await startTestService();
  const owner = await signInAs(service);
  const { users, sessions } = service.services;
  const read = users.findAccount;
  vi.spyOn(users, 'findAccount').mockImplementationOnce(async (id) => {
    const found = await read(id);
    await enrolTotp(owner);
    return found;
  });
  expect(await passFirstFactor(service, owner.user.id)).toHaveProperty('requiresTwoFactor', true);
  expect(await sessions.listOfUser(owner.user.id)).toHaveLength(1);
});

test('attack: the token of a demanded set-up opens the set-up and the mail of the link, and nothing else', async () => {
  const service = await startTestService();
  const { user } = await signInAs(service, { isEmailProven: false });
  await service.services.settings.set('require2FA', true);
  const refusal = await passFirstFactor(service, user.id).catch((error: unknown) => error);
  const fields = refusal instanceof HttpError ? refusal.extra.fields : undefined;
  const client = nativeClient(service, String(fields?.tempToken));

  const open: string[] = [];
  for (const { prefix, routes } of mountsOf(service.services)) {
    for (const { access, method, path } of routes) {
      if (access === 'public' || prefix !== service.prefix) continue;
      const url = path.replaceAll(/\{\w+\}/g, 'x');
      const { body } = await client.send(method, url, method === 'GET' ? undefined : {});
      if (body.code !== 'INVALID_TOKEN') open.push(path);
    }
  }

  expect(open.sort()).toEqual(['/2fa/setup', '/2fa/verify-setup', '/send-verification-email']);
  expect((await service.mails()).map(({ to, name }) => [to, name])).toEqual([
    [user.email, 'verification'],
  ]);
});

test('attack: a client cannot bring a secret of its own', async () => {
  const { ada } = await start();
  await ada.client.post('/2fa/setup');
  const secret = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP';
  const confirmation = { token: authenticatorCode(secret), secret };
  const { status, body } = await ada.client.post('/2fa/verify-setup', confirmation);
  expect([status, body.code]).toEqual([400, 'INVALID_TOTP_CODE']);
});

/** Ends all sessions of a user after a request was checked, and right before it changes something. */
function endSessionsBeforeTheNextChange({ services }: TestService, userId: string): void {
  const { transaction } = services;
  vi.spyOn(services, 'transaction').mockImplementationOnce(async (work, frequent) => {
    await endSessionsOfUser(services, { request: someRequest() }, userId, 'revoked');
    return transaction(work, frequent);
  });
}

test.each(['2fa/verify-setup', '2fa/recovery-codes', '2fa/disable'])(
  'race: whoever is signed out while POST /%s is under way changes no factor',
  async (path) => {
    const { service, ada } = await start();
    const { users } = service.services;
    const { secret } = (await ada.client.post('/2fa/setup')).body;
    const body = { secret, token: authenticatorCode(secret) };
    if (path !== '2fa/verify-setup') await ada.client.post('/2fa/verify-setup', body);
    const before = (await users.findAccount(ada.user.id))?.isTotpEnabled;
    endSessionsBeforeTheNextChange(service, ada.user.id);
    const answer = await ada.client.post(`/${path}`, body);
    expect([answer.status, answer.body.code]).toEqual([401, 'SESSION_REVOKED']);
    expect((await users.findAccount(ada.user.id))?.isTotpEnabled).toBe(before);
  },
);

test('race: all sign-ins are stopped while a demanded set-up is confirmed: it adds no app', async () => {
  const { service, ada, client } = await sentToSetUp();
  await service.services.users.markEmailProven(ada.user.id);
  const { secret } = (await client.post('/2fa/setup')).body;
  endSessionsBeforeTheNextChange(service, ada.user.id);
  const body = { secret, token: authenticatorCode(secret) };
  expect((await client.post('/2fa/verify-setup', body)).body.code).toBe('INVALID_TOKEN');
  expect((await service.services.users.findAccount(ada.user.id))?.isTotpEnabled).toBe(false);
});

test('attack: a set-up that a thief began cannot be finished once the sessions have ended', async () => {
  const { service, ada } = await start({ ACCESS_TOKEN_TTL: '1h' });
  const { secret } = (await ada.client.post('/2fa/setup')).body;
  await endSessionsOfUser(service.services, {}, ada.user.id, 'password-reset');
  const later = await signInAs(service, { email: 'ada@example.com' });
  const finished = await later.client.post('/2fa/verify-setup', {
    token: authenticatorCode(secret),
    secret,
  });
  expect([finished.status, finished.body.code]).toEqual([400, 'INVALID_TOTP_CODE']);
});

test('attack: a set-up that one session began cannot be finished in another, stale one', async () => {
  const { service, ada } = await start();
  const fresh = await signInAs(service, { email: 'ada@example.com' });
  const { secret } = (await fresh.client.post('/2fa/setup')).body;
  await fresh.client.post('/logout');
  const body = { secret, token: authenticatorCode(secret) };
  const { status, body: refused } = await ada.client.post('/2fa/verify-setup', body);
  expect([status, refused.code]).toEqual([400, 'INVALID_TOTP_CODE']);
});

test('exhaustion: set-ups, each of which draws a picture, and new recovery codes are limited', async () => {
  const { ada } = await start({ RATE_LIMIT: 'on' });
  const statuses = new Set<number>();
  for (let count = 0; count < 61; count += 1) {
    statuses.add((await ada.client.post('/2fa/setup')).status);
  }
  expect([...statuses]).toEqual([200, 429]);
  expect((await ada.client.post('/2fa/recovery-codes')).status).toBe(429);
});

test('the longest address fits into the QR code', async () => {
  const service = await startTestService();
  const email = `${'李'.repeat(64)}@${`${'李'.repeat(60)}.`.repeat(3)}${'李'.repeat(6)}`;
  const { client } = await signInAs(service, { email });
  expect((await client.post('/2fa/setup')).status).toBe(200);
});
