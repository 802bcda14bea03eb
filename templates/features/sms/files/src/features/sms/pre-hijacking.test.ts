import { expect, test } from 'vitest';
import { nativeClient } from '../../../test/client.js';
import { requestTextedCode, signInWithPhone, startTextingService } from '../../../test/phone.js';
import { requestFacts } from '../../http/request.js';
import { proveEmail } from '../../users/prove-email.js';

const request = requestFacts({
  method: 'POST',
  params: {},
  search: '',
  ip: '127.0.0.1',
  header: () => undefined,
  readBody: async () => Buffer.alloc(0),
});

test('pre-hijacking: a phone that was added before the address was proven opens nothing after', async () => {
  const phones = await startTextingService();
  const { user } = await signInWithPhone(phones);
  const { email } = user;
  const code = await requestTextedCode(phones, email);

  await proveEmail(phones.service.services, request, user);

  const client = nativeClient(phones.service);
  expect((await client.post('/sms/verify', { email, code })).body.code).toBe('INVALID_SMS_CODE');
  const count = phones.sink.requests.length;
  await client.post('/sms/send', { email });
  await phones.service.idle();
  expect(phones.sink.requests).toHaveLength(count);
});

test('a deleted account leaves neither number nor code behind', async () => {
  const phones = await startTextingService();
  const { user } = await signInWithPhone(phones);
  await requestTextedCode(phones, user.email);
  const { db, users } = phones.service.services;

  await users.delete(user.id);

  expect(await db.selectFrom('phone_numbers').selectAll().execute()).toEqual([]);
  expect(await db.selectFrom('sms_codes').selectAll().execute()).toEqual([]);
});
