import { expect, test } from 'vitest';
import { authenticatorCode, challenged, enrolTotp } from '../../../test/authenticator.js';
import { nativeClient } from '../../../test/client.js';
import { passFirstFactor } from '../../../test/factor.js';
import { startTestService, type TestService } from '../../../test/service.js';

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

test('replay: neither a used code nor its temp token works again', async () => {
  const { recoveryCode, tempToken, begin, verify } = await challenged();
  expect((await verify(tempToken)).status).toBe(200);
  expect((await verify(await begin())).body.code).toBe('INVALID_TOTP_CODE');
  const again = await verify(tempToken, recoveryCode);
  expect([again.status, again.body.code]).toEqual([400, 'INVALID_TEMP_TOKEN']);
});

test('guessing: parallel guesses share five attempts, then the temp token is void for the right code too', async () => {
  const { tempToken, verify } = await challenged();
  const answers = await Promise.all(Array.from({ length: 20 }, () => verify(tempToken, 'wrong')));
  const tried = answers.filter(({ body }) => body.code === 'INVALID_TOTP_CODE');
  expect(tried).toHaveLength(5);
  expect((await verify(tempToken)).body.code).toBe('INVALID_TEMP_TOKEN');
});

test('a recovery code works once, lowers the count, and notifies the owner', async () => {
  const { service, recoveryCode, tempToken, begin, verify } = await challenged();
  const typed = recoveryCode?.toUpperCase().replaceAll('-', ' ');
  expect((await verify(tempToken, typed)).status).toBe(200);
  const mails = await service.mails();
  const notice = mails.find(({ name }) => name === 'recoveryCodeUsed');
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
