import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nativeClient } from '../../../test/client.js';
import {
  createPasswordAccount,
  requestResetToken,
  signInWithPassword,
} from '../../../test/password-account.js';
import { startTestService } from '../../../test/service.js';
import { passwordField } from './password-field.js';

const LONGEST = 'x'.repeat(72);

const impossible: [string, unknown][] = [
  ['of 73 bytes', 'x'.repeat(73)],
  ['of 73 bytes in 25 characters', `${'€'.repeat(24)}x`],
  ['with a NUL', 'secret\0sauce'],
  ['that is empty', ''],
  ['that is a number', 12345678],
  ['that is a list', ['secret']],
  ['that is null', null],
  ['that is missing', undefined],
];

test.each(impossible)('a password %s is refused by login', async (_name, password) => {
  const service = await startTestService();
  const { email } = await createPasswordAccount(service);

  const { status, body } = await nativeClient(service).post('/login', { email, password });

  expect([status, body.code]).toEqual([400, 'VALIDATION_FAILED']);
  expect(body.details).toEqual([{ path: 'password', message: expect.any(String) }]);
});

test('such a password is refused by reset, and the link stays good', async () => {
  const service = await startTestService();
  const { email } = await createPasswordAccount(service);
  const token = await requestResetToken(service, email);
  const client = nativeClient(service);

  for (const [name, newPassword] of impossible) {
    const { status, body } = await client.post('/reset-password', { token, newPassword });
    expect([name, status, body.code]).toEqual([name, 400, 'VALIDATION_FAILED']);
    expect(body.details).toEqual([{ path: 'newPassword', message: expect.any(String) }]);
  }

  const { status } = await client.post('/reset-password', { token, newPassword: LONGEST });
  expect(status).toBe(200);
});

test('such a password is refused by change, and the old one stays', async () => {
  const service = await startTestService();
  const account = await createPasswordAccount(service);
  const client = await signInWithPassword(service, account);

  for (const [name, newPassword] of impossible) {
    const change = { currentPassword: account.password, newPassword };
    const { status, body } = await client.post('/change-password', change);
    expect([name, status, body.code]).toEqual([name, 400, 'VALIDATION_FAILED']);
    expect(body.details).toEqual([{ path: 'newPassword', message: expect.any(String) }]);
  }

  await signInWithPassword(service, account);
});

test('truncation: what begins with a password of 72 bytes does not open the account', async () => {
  const service = await startTestService();
  const { email } = await createPasswordAccount(service, { password: LONGEST });
  const client = nativeClient(service);

  const longer = await client.post('/login', { email, password: `${LONGEST}!` });
  const shorter = await client.post('/login', { email, password: LONGEST.slice(1) });
  const exact = await client.post('/login', { email, password: LONGEST });

  expect([longer.status, shorter.status, exact.status]).toEqual([400, 401, 200]);
});

test('72 bytes of multi-byte characters are a password like any other, down to the last byte', async () => {
  const service = await startTestService();
  const password = '€'.repeat(24);
  const { email } = await createPasswordAccount(service, { password });
  const client = nativeClient(service);

  expect((await client.post('/login', { email, password })).status).toBe(200);
  const almost = `${'€'.repeat(23)}₭`;
  expect((await client.post('/login', { email, password: almost })).status).toBe(401);
});

test('a password is possible exactly if it has 1 to 72 bytes and no NUL', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 80 }), (password) => {
      const bytes = Buffer.byteLength(password);
      const isPossible = bytes >= 1 && bytes <= 72 && !password.includes('\0');
      expect(passwordField.safeParse(password).success).toBe(isPossible);
    }),
  );
});

test('a password that is possible is never changed on its way to the hash', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 10 }), (password) => {
      fc.pre(passwordField.safeParse(password).success);
      expect(passwordField.parse(password)).toBe(password);
    }),
  );
});
