import { expect, test } from 'vitest';
import { deviceOf } from '../src/features/device-name/device-name.js';
import { deviceCookie } from '../src/session/device.js';
import { startSession } from '../src/session/finish-login.js';
import { startTestService } from './service.js';
import { signInAs, signInFrom, someRequest } from './sign-in-as.js';

const CHROME_ON_WINDOWS =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/141.0.0.0 Safari/537.36';

async function signedInOnce() {
  const service = await startTestService();
  const { user } = await signInAs(service, { email: 'ada@example.com' });
  expect(await service.mails(), 'the first device is not reported').toEqual([]);
  return { service, user };
}

test('a browser that has signed in before is known by its cookie, also with a new User-Agent', async () => {
  const { service, user } = await signedInOnce();
  const other = await signInAs(service, { email: 'bob@example.com' });
  const cookieOf = (userId: string) => deviceCookie(service.services, someRequest(), userId).value;
  const updated = { ...someRequest(), userAgent: CHROME_ON_WINDOWS };
  const signIn = { userId: user.id, method: 'local' };
  const withCookie = (device: string) => ({ ...updated, cookies: { device } });
  await startSession(service.services, withCookie(cookieOf(user.id)), signIn);
  expect(await service.mails()).toEqual([]);
  const elsewhere = { ...withCookie(cookieOf(other.user.id)), userAgent: 'Firefox' };
  await startSession(service.services, elsewhere, signIn);
  expect(await service.mails()).toHaveLength(1);
});

test('20 parallel sign-ins from one new device are one mail', async () => {
  const { service, user } = await signedInOnce();
  await Promise.all(Array.from({ length: 20 }, () => signInFrom(service, user.id, 'Firefox')));
  expect(await service.mails()).toHaveLength(1);
});

test.each([
  [CHROME_ON_WINDOWS, 'Chrome', 'Windows'],
  [`${CHROME_ON_WINDOWS} Edg/141.0.0.0`, 'Edge', 'Windows'],
  [`${CHROME_ON_WINDOWS} OPR/121.0.0.0`, 'Opera', 'Windows'],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0', 'Firefox', 'Linux'],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Version/18.6 Safari/605.1.15', 'Safari', 'Mac'],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) CriOS/141.0.0.0 Mobile/15E148 Safari/604.1',
    'Chrome',
    'iPhone',
  ],
  [
    'Mozilla/5.0 (Linux; Android 15; SM-S928B) SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36',
    'Samsung Internet',
    'Android',
  ],
  ['okhttp/5.1.0', undefined, undefined],
  [null, undefined, undefined],
])('%s is %s on %s', (userAgent, browser, system) => {
  expect(deviceOf(userAgent)).toEqual({ browser, system });
});

test('attack: the notice goes to the address of that moment, not to one that a thief has set since', async () => {
  const { service, user } = await signedInOnce();
  const { services } = service;
  await services.workers.mail.stop();
  await signInFrom(service, user.id, 'Firefox');
  await services.users.changeEmail(user.id, 'eve@evil.example');
  expect(await services.db.selectFrom('mails').select('data').execute()).toEqual([
    { data: expect.stringContaining('"email":"ada@example.com"') },
  ]);
});
