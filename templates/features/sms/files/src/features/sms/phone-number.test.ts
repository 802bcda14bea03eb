import fc from 'fast-check';
import { expect, test } from 'vitest';
import { startTextingService } from '../../../test/phone.js';
import { signInAs } from '../../../test/sign-in-as.js';
import { parsePhoneNumber } from './phone-number.js';

test.each([
  ['+4915112345678', '+4915112345678'],
  ['+49 (0) 1511 2345678', '+4915112345678'],
  ['+1 (415) 555-2671', '+14155552671'],
  ['+44 7911 123456', '+447911123456'],
])('%s is %s', (text, number) => {
  expect(parsePhoneNumber(text)).toBe(number);
});

test.each([
  '',
  '+',
  '015112345678',
  '4915112345678',
  '0049 1511 2345678',
  '+49',
  '+491511234567890123',
  '+999123456789',
  'call +4915112345678',
  '+4915112345678;ext=5',
  '+4915112345678\n+4915187654321',
  '+49 900 1234567',
  '＋４９１５１１２３４５６７８',
  '+4915112345678<script>',
])('%j is no phone number to send a text to', (text) => {
  expect(parsePhoneNumber(text)).toBeUndefined();
});

test('what is no phone number is refused with its own code', async () => {
  const { service, sink } = await startTextingService();
  const { client } = await signInAs(service);

  for (const phoneNumber of ['', '0151 1234567', 'ünïcödé', "'; drop table users; --"]) {
    const { status, body } = await client.post('/add-phone', { phoneNumber });
    expect([status, body.code]).toEqual([400, 'INVALID_PHONE_NUMBER']);
  }
  await service.idle();
  expect(sink.requests).toEqual([]);
});

test.each([
  ['missing', {}],
  ['a number', { phoneNumber: 4915112345678 }],
  ['a list', { phoneNumber: ['+4915112345678'] }],
  ['endless', { phoneNumber: `+${'4'.repeat(5000)}` }],
  ['cut by NUL', { phoneNumber: '+4915112345678\0' }],
])('a phone number that is %s is a mistake of the request', async (_name, body) => {
  const { service } = await startTextingService();
  const { client } = await signInAs(service);

  const answer = await client.post('/add-phone', body);

  expect([answer.status, answer.body.code]).toEqual([400, 'VALIDATION_FAILED']);
});

test.each([
  ['missing', {}],
  ['a number', { code: 123456 }],
  ['a list', { code: ['123456'] }],
  ['empty', { code: '  ' }],
  ['endless', { code: '1'.repeat(5000) }],
  ['cut by NUL', { code: '123456\0' }],
])('a code that is %s is a mistake of the request', async (_name, body) => {
  const { service } = await startTextingService();
  const { client } = await signInAs(service);

  const answer = await client.post('/verify-phone', body);

  expect([answer.status, answer.body.code]).toEqual([400, 'VALIDATION_FAILED']);
});

/** Digits and what people write between them, and anything at all. */
const text = fc.oneof(
  fc.stringMatching(/^\+?[\d ()./-]{0,22}$/),
  fc.string({ unit: 'binary', maxLength: 30 }),
);

test('whatever is written, the number is in E.164 (ITU-T) and its own spelling', () => {
  fc.assert(
    fc.property(text, (written) => {
      const number = parsePhoneNumber(written);
      if (number === undefined) return;
      expect(number).toMatch(/^\+[1-9]\d{5,14}$/);
      expect(parsePhoneNumber(number)).toBe(number);
      expect(written.replaceAll(/\D/g, '')).toContain(number.slice(-4));
    }),
    { numRuns: 2000 },
  );
});
