import { expect, test } from 'vitest';
import { authenticatorCode, enrolTotp } from '../../../test/authenticator.js';
import { nativeClient } from '../../../test/client.js';
import { passFirstFactor } from '../../../test/factor.js';
import { startTestService } from '../../../test/service.js';
import { signInAs, someRequest } from '../../../test/sign-in-as.js';
import { seal, unseal } from '../../process/seal.js';
import { endSessionsOfUser } from '../../session/end-session.js';
import { createKeys } from '../../session/tokens.js';

const MINUTE = 60_000;

/** A user with an app whose enrolment code is a step behind, and a first factor passed. */
async function challenged() {
  const service = await startTestService();
  const ada = await signInAs(service, { email: 'ada@example.com' });
  const { secret, recoveryCodes } = await enrolTotp(ada);
  service.advance(MINUTE);
  const begin = async () => (await passFirstFactor(service, ada.user.id)).tempToken ?? '';
  const client = nativeClient(service);
  const verify = (tempToken: string, totpCode = authenticatorCode(secret)) =>
    client.post('/2fa/verify', { tempToken, totpCode });
  const tempToken = await begin();
  return { service, ada, secret, recoveryCode: recoveryCodes[0], tempToken, begin, verify };
}

test('the first factor alone brings a challenge and no tokens; the code of the app finishes the sign-in', async () => {
  const { service, ada, tempToken, verify } = await challenged();
  expect(await passFirstFactor(service, ada.user.id)).toEqual({
    requiresTwoFactor: true,
    tempToken: expect.any(String),
    available2faMethods: ['totp'],
  });

  const { status, body } = await verify(tempToken);

  expect([status, Object.keys(body)]).toEqual([200, ['success', 'accessToken', 'refreshToken']]);
  const me = await nativeClient(service, body.accessToken).get('/me');
  expect(me.body).toMatchObject({ sub: ada.user.id, isTotpEnabled: true });
});

test.each([-2, -1, 1, 2])('a code %i steps away is taken if it is next to now', async (steps) => {
  const { secret, tempToken, verify } = await challenged();
  const { body } = await verify(tempToken, authenticatorCode(secret, steps));
  expect(body.code).toBe(Math.abs(steps) === 1 ? undefined : 'INVALID_TOTP_CODE');
});

test('replay: neither a code that was seen over the shoulder nor its temp token works again', async () => {
  const { recoveryCode, tempToken, begin, verify } = await challenged();
  expect((await verify(tempToken)).status).toBe(200);
  expect((await verify(await begin())).body.code).toBe('INVALID_TOTP_CODE');
  const again = await verify(tempToken, recoveryCode);
  expect([again.status, again.body.code]).toEqual([400, 'INVALID_TEMP_TOKEN']);
});

test.each(['code', 'recovery code'])(
  'race: of 20 parallel uses of one %s exactly one signs in',
  async (kind) => {
    const { recoveryCode, begin, verify } = await challenged();
    const code = kind === 'code' ? undefined : recoveryCode;
    const tempTokens = await Promise.all(Array.from({ length: 20 }, begin));
    const answers = await Promise.all(tempTokens.map((tempToken) => verify(tempToken, code)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(19);
  },
);

test('guessing: parallel guesses share five attempts, then the temp token is dead for the right code too', async () => {
  const { tempToken, verify } = await challenged();
  const answers = await Promise.all(Array.from({ length: 20 }, () => verify(tempToken, 'wrong')));
  const tried = answers.filter(({ body }) => body.code === 'INVALID_TOTP_CODE');
  expect(tried).toHaveLength(5);
  expect((await verify(tempToken)).body.code).toBe('INVALID_TEMP_TOKEN');
});

test('a temp token lives five minutes', async () => {
  const { service, tempToken, verify } = await challenged();
  service.advance(5 * MINUTE + 1000);
  expect((await verify(tempToken)).body.code).toBe('INVALID_TEMP_TOKEN');
});

test('attack: a temp token is no access token, nor the other way round', async () => {
  const { service, ada, tempToken, verify } = await challenged();
  expect((await nativeClient(service, tempToken).get('/me')).body.code).toBe('INVALID_TOKEN');
  expect((await verify(ada.accessToken)).body.code).toBe('INVALID_TEMP_TOKEN');
});

test("attack: another user's code does not answer the challenge", async () => {
  const { service, begin, verify } = await challenged();
  const eve = await enrolTotp(await signInAs(service));
  service.advance(MINUTE);
  const { body } = await verify(await begin(), authenticatorCode(eve.secret));
  expect(body.code).toBe('INVALID_TOTP_CODE');
});

test('attack: a first step that was taken before all sessions ended leads nowhere', async () => {
  const { service, ada, tempToken, verify } = await challenged();
  await endSessionsOfUser(service.services, { request: someRequest() }, ada.user.id, 'revoked');
  const { status, body } = await verify(tempToken);
  expect([status, body.code]).toEqual([400, 'INVALID_TEMP_TOKEN']);
});

test('a recovery code works once, is counted down, and the owner is told', async () => {
  const { service, recoveryCode, tempToken, begin, verify } = await challenged();
  const typed = recoveryCode?.toUpperCase().replaceAll('-', ' ');
  expect((await verify(tempToken, typed)).status).toBe(200);
  const mails = await service.mails();
  const notice = mails.find(({ name }) => name === 'recoveryCodeUsed');
  expect(notice?.text).toContain('9 ');
  expect((await verify(await begin(), typed)).body.code).toBe('INVALID_TOTP_CODE');
});

test('new recovery codes void the old ones', async () => {
  const { ada, recoveryCode, tempToken, verify } = await challenged();
  await ada.client.post('/2fa/recovery-codes');
  expect((await verify(tempToken, recoveryCode)).body.code).toBe('INVALID_TOTP_CODE');
});

test('a rotated ACCESS_TOKEN_SECRET still opens the stored secret', async () => {
  const old = 'an-older-access-secret-of-0123456789-abc';
  const { services, config } = await startTestService({ ACCESS_TOKEN_SECRET: old });
  const sealed = seal(services.keys.sealing, 'totp:1', 'SECRET');
  const secrets = ['a-newer-access-secret-of-9876543210-xyz', old];
  const { sealing } = createKeys({ ...config, ACCESS_TOKEN_SECRET: secrets });
  expect(unseal(sealing, 'totp:1', sealed)).toBe('SECRET');
  expect(unseal(sealing, 'totp:2', sealed)).toBeUndefined();
});
