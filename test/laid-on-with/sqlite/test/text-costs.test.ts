import { expect, test } from 'vitest';
import { nativeClient } from './client.js';
import { type Phones, signInWithPhone, startTextingService } from './flows/sms.js';
import { signInAs } from './sign-in-as.js';

test('cost: two instances together send no more texts than the daily limit, also with RATE_LIMIT=off', async () => {
  const one = await startTextingService({ SMS_DAILY_LIMIT: '3' });
  const { DATABASE_URL } = one.service.config;
  const two = await startTextingService({ SMS_DAILY_LIMIT: '3', DATABASE_URL });
  const { user } = await signInWithPhone(one);
  const add = async ({ service }: Phones, nth: number) => {
    const { client } = await signInAs(service);
    return client.post('/add-phone', { phoneNumber: `+4915112345${nth}78` });
  };
  const answers = await Promise.all([1, 2, 3, 4, 5, 6].map((nth) => add(nth % 2 ? one : two, nth)));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 429, 429, 429, 429]);
  expect(answers.find(({ status }) => status === 429)?.body.code).toBe('RATE_LIMITED');
  for (const { service } of [one, two]) {
    // The response of a public route reveals nothing.
    const { body } = await nativeClient(service).post('/sms/send', { email: user.email });
    expect(body).toEqual({ success: true });
    await service.idle();
  }
  expect(one.sink.requests.length + two.sink.requests.length).toBe(3);
  two.service.advance(25 * 60 * 60 * 1000);
  await nativeClient(two.service).post('/sms/send', { email: user.email });
  await two.service.idle();
  expect(one.sink.requests.length + two.sink.requests.length).toBe(4);
});
