import { expect, test } from 'vitest';
import { nativeClient } from '../../../test/client.js';
import { passFirstFactor, sentToSetUp } from '../../../test/factor.js';
import { authenticatorCode, challenged, enrolTotp } from '../../../test/flows/totp.js';
import { startTestService, type TestEnvironment, type TestService } from '../../../test/service.js';
import { type Person, signInAs } from '../../../test/sign-in-as.js';
import { mountsOf } from '../../http/route.js';
import { secondFactor } from '../second-factor/feature.js';

const MINUTE = 60_000;

async function start(variables: TestEnvironment = {}, person: Person = {}) {
  const service = await startTestService(variables);
  return { service, ada: await signInAs(service, { email: 'ada@example.com', ...person }) };
}

test('an app is set up with a secret, as text, URL and picture, and confirmed by its first code', async () => {
  const { service, ada } = await start();
  const { body } = await ada.client.post('/2fa/setup');
  expect(body.secret).toMatch(/^[A-Z2-7]{32}$/);
  expect(body.otpauthUrl).toMatch(/^otpauth:\/\/totp\//);
  expect(body.otpauthUrl).toContain(`issuer=${service.config.SERVICE_NAME}`);
  expect(body.otpauthUrl).toContain(`secret=${body.secret}`);
  expect(body.qrCode).toMatch(/^data:image\/png;base64,/);
  expect((await ada.client.get('/me')).body.isTotpEnabled).toBe(false);

  const { secret, recoveryCodes } = await enrolTotp(ada);

  expect(new Set(recoveryCodes).size).toBe(10);
  expect((await ada.client.get('/me')).body.isTotpEnabled).toBe(true);
  const [mail] = await service.mails();
  expect(mail).toMatchObject({ to: 'ada@example.com', name: 'totpEnabled' });
  const { db } = service.services;
  const secrets = await db.selectFrom('totp_secrets').selectAll().execute();
  const codes = await db.selectFrom('recovery_codes').selectAll().execute();
  const stored = JSON.stringify([secrets, codes]).replaceAll('-', '');
  for (const each of [secret, ...recoveryCodes])
    expect(stored, 'a stolen database opens nothing').not.toContain(each.replaceAll('-', ''));
});

test('removing the app notifies the owner; a required app cannot be removed', async () => {
  const { service, ada } = await start();
  await enrolTotp(ada);
  await service.services.settings.set('require2FA', true);
  const demanded = await ada.client.post('/2fa/disable');
  expect([demanded.status, demanded.body.code]).toEqual([403, '2FA_REQUIRED']);

  await service.services.settings.set('require2FA', null);
  await service.idle();
  expect((await ada.client.post('/2fa/disable')).body).toEqual({ success: true });
  expect((await ada.client.get('/me')).body.isTotpEnabled).toBe(false);
  expect((await service.mails()).at(-1)?.name).toBe('totpDisabled');
  expect((await ada.client.post('/2fa/recovery-codes')).body.code).toBe('METHOD_NOT_AVAILABLE');
});

test('all of it takes a fresh sign-in or a code, which is used up', async () => {
  const { service, ada } = await start({ ACCESS_TOKEN_TTL: '1h' });
  const { secret } = await enrolTotp(ada);
  const nobody = nativeClient(service);
  for (const path of ['/2fa/setup', '/2fa/verify-setup', '/2fa/disable', '/2fa/recovery-codes']) {
    expect((await nobody.post(path)).body.code).toBe('INVALID_TOKEN');
  }
  service.advance(16 * MINUTE);
  const renew = (code?: string) => ada.client.post('/2fa/recovery-codes', { code });
  const stale = await renew();
  expect([stale.status, stale.body.code]).toEqual([403, 'REAUTHENTICATION_REQUIRED']);
  const wrong = await renew('000000');
  expect([wrong.status, wrong.body.code]).toEqual([400, 'INVALID_TOTP_CODE']);
  const code = authenticatorCode(secret);
  expect((await renew(code)).body.recoveryCodes).toHaveLength(10);
  expect((await renew(code)).body.code).toBe('INVALID_TOTP_CODE');
});

test('a user who needs a second factor and has none sets one up, and then signs in by it', async () => {
  const { service, ada, error, client } = await sentToSetUp();
  await service.services.users.markEmailProven(ada.user.id);
  expect(error.code).toBe('2FA_SETUP_REQUIRED');
  expect(error.extra.fields).toMatchObject({ requires2FASetup: true });

  expect((await enrolTotp({ ...ada, client })).recoveryCodes).toHaveLength(10);

  const challenge = await passFirstFactor(service, ada.user.id);
  expect(challenge).toMatchObject({ requiresTwoFactor: true, available2faMethods: ['totp'] });
});

test('attack: the set-up token is refused everywhere else', async () => {
  const { client } = await sentToSetUp();
  const answers = [
    await client.get('/me'),
    await client.get('/sessions'),
    await client.post('/2fa/disable'),
    await client.post('/2fa/recovery-codes'),
  ];
  expect(answers.map(({ body }) => body.code)).toEqual(Array(4).fill('INVALID_TOKEN'));
});

/** A user with an app whose set-up code is one step old. */
async function withApp(variables: TestEnvironment = {}) {
  const service = await startTestService({ ACCESS_TOKEN_TTL: '1h', ...variables });
  const owner = await signInAs(service, { email: 'ada@example.com' });
  const { secret, recoveryCodes } = await enrolTotp(owner);
  service.advance(MINUTE);
  return { service, owner, secret, recoveryCodes };
}

test('attack: a stolen fresh session that was opened without the app neither removes nor replaces it', async () => {
  const { service, owner, secret } = await withApp();
  const thief = await signInAs(service, { email: owner.user.email });
  const { prefix } = service;
  const routes = mountsOf(service.services).find((mount) => mount.prefix === prefix)?.routes ?? [];
  const strong = routes.filter(({ access }) => access === 'strong');
  expect(strong.map(({ path }) => path)).toContain('/2fa/disable');
  for (const { method, path } of strong) {
    const { status, body } = await thief.client.send(method, path, { code: '' });
    expect([path, status, body.code]).toEqual([path, 403, 'REAUTHENTICATION_REQUIRED']);
  }
  const { status } = await thief.client.post('/2fa/disable', { code: authenticatorCode(secret) });
  expect(status).toBe(200);
});

test('attack: whoever got in before the app was set up, replaced or removed is out; the owner stays', async () => {
  const service = await startTestService();
  const owner = await signInAs(service, { email: 'ada@example.com' });
  const acts = {
    '2fa-enabled': () => enrolTotp(owner),
    '2fa-replaced': () => enrolTotp(owner),
    '2fa-disabled': () => owner.client.post('/2fa/disable'),
  };
  for (const [name, act] of Object.entries(acts)) {
    const thief = await signInAs(service, { email: owner.user.email });
    const before = (await service.events()).length;
    await act();
    expect([name, (await thief.client.get('/me')).body.code]).toEqual([name, 'SESSION_REVOKED']);
    expect((await owner.client.get('/me')).status).toBe(200);
    const revoked = (await service.events())
      .slice(before)
      .filter(({ event }) => event === 'identity.session.revoked');
    const reason = name === '2fa-disabled' ? name : '2fa-enabled';
    expect(revoked).toMatchObject([{ data: { sessionId: thief.sessionId, reason } }]);
  }
});

test('the first factor alone brings a challenge and no tokens; the code of the app finishes the sign-in', async () => {
  const { service, ada, tempToken, verify } = await challenged();
  expect(await passFirstFactor(service, ada.user.id)).toEqual({
    requiresTwoFactor: true,
    tempToken: expect.any(String),
    available2faMethods: expect.arrayContaining(['totp']),
  });

  const { status, body } = await verify(tempToken);

  expect([status, Object.keys(body)]).toEqual([200, ['success', 'accessToken', 'refreshToken']]);
  const me = await nativeClient(service, body.accessToken).get('/me');
  expect(me.body).toMatchObject({ sub: ada.user.id, isTotpEnabled: true });
});

test('replay: neither a used code, of a sign-in or the set-up, nor its temp token works again', async () => {
  const { service, ada, secret, recoveryCode, tempToken, begin, verify } = await challenged();
  const used = authenticatorCode(secret);
  expect((await verify(tempToken, used)).status).toBe(200);
  expect((await verify(await begin(), used)).body.code).toBe('INVALID_TOTP_CODE');
  const again = await verify(tempToken, recoveryCode);
  expect([again.status, again.body.code]).toEqual([400, 'INVALID_TEMP_TOKEN']);
  service.stopClock();
  const ofSetUp = authenticatorCode((await enrolTotp(ada)).secret);
  expect((await verify(await begin(), ofSetUp)).body.code).toBe('INVALID_TOTP_CODE');
});

test('guessing: parallel guesses share a few attempts, then the temp token is void for the right code too', async () => {
  const { tempToken, verify } = await challenged();
  const answers = await Promise.all(Array.from({ length: 20 }, () => verify(tempToken, 'wrong')));
  const tried = answers.filter(({ body }) => body.code === 'INVALID_TOTP_CODE');
  expect(tried).toHaveLength(secondFactor.limits.answersToChallenge.points);
  expect((await verify(tempToken)).body.code).toBe('INVALID_TEMP_TOKEN');
});

test('a recovery code works once, lowers the count, and notifies the owner', async () => {
  const { service, recoveryCode, tempToken, begin, verify } = await challenged();
  const typed = recoveryCode?.toUpperCase().replaceAll('-', ' ');
  expect((await verify(tempToken, typed)).status).toBe(200);
  const notice = (await service.mails()).find(({ name }) => name === 'recoveryCodeUsed');
  expect(notice?.text).toMatch(/\b9\b/);
  expect((await verify(await begin(), typed)).body.code).toBe('INVALID_TOTP_CODE');
});

const KEY = 'the key that sealed the secret first';

const NEW_KEY = 'the key that came after the first one';

/** The service again, on the same database, with another DATA_KEY. */
function restartWith({ config }: TestService, DATA_KEY: string): Promise<TestService> {
  return startTestService({ DATABASE_URL: config.DATABASE_URL, DATA_KEY });
}

test('without the key of its secret the app is refused, never with a 500; a recovery code signs in, and the app is set up anew', async () => {
  const { service, ada, secret, recoveryCode, tempToken } = await challenged({ DATA_KEY: KEY });
  const without = await restartWith(service, NEW_KEY);
  const client = nativeClient(without);
  const wrong = await client.post('/2fa/verify', {
    tempToken,
    totpCode: authenticatorCode(secret),
  });
  expect([wrong.status, wrong.body.code]).toEqual([400, 'INVALID_TOTP_CODE']);
  const right = await client.post('/2fa/verify', { tempToken, totpCode: recoveryCode });
  expect(right.status).toBe(200);
  await enrolTotp({ ...ada, client: nativeClient(without, right.body.accessToken) });
});
