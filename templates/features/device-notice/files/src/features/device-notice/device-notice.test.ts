import { expect, test } from 'vitest';
import { startTestService, type TestService } from '../../../test/service.js';
import { signInAs, someRequest } from '../../../test/sign-in-as.js';
import { startSession } from '../../session/finish-login.js';
import { deviceOf } from './device.js';

const CHROME_ON_WINDOWS =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/141.0.0.0 Safari/537.36';

async function signInFrom({ services }: TestService, userId: string, userAgent: string) {
  const request = { ...someRequest(), ip: '203.0.113.7', userAgent };
  await startSession(services, request, userId, 'local');
}

async function signedInOnce() {
  const service = await startTestService();
  const { user } = await signInAs(service, { email: 'ada@example.com' });
  expect(await service.mails(), 'the first device is no news').toEqual([]);
  return { service, user };
}

test('a sign-in from a new device is told to the owner', async () => {
  const { service, user } = await signedInOnce();
  await signInFrom(service, user.id, CHROME_ON_WINDOWS);
  const [mail] = await service.mails();
  expect(mail).toMatchObject({ to: 'ada@example.com', name: 'newDevice' });
  expect(mail?.text).toMatch(/Chrome .*Windows/);
  expect(mail?.text).toContain('203.0.113.7');
});

test('a known device is not told again', async () => {
  const { service, user } = await signedInOnce();
  await signInFrom(service, user.id, 'Firefox');
  await service.mails();
  await signInFrom(service, user.id, 'Firefox');
  expect(await service.mails()).toHaveLength(1);
});

test('20 parallel sign-ins from one new device are one mail', async () => {
  const { service, user } = await signedInOnce();
  await Promise.all(Array.from({ length: 20 }, () => signInFrom(service, user.id, 'Firefox')));
  expect(await service.mails()).toHaveLength(1);
});

test('attack: nothing of a User-Agent gets into the mail but the names that we know', async () => {
  const { service, user } = await signedInOnce();
  const text = 'Locked! Unlock at https://evil.example <a href="https://evil.example">Chrome/1</a>';
  await signInFrom(service, user.id, text);
  const [mail] = await service.mails();
  expect(mail?.text).toContain('Chrome ');
  expect(JSON.stringify(mail)).not.toMatch(/evil|locked/i);
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
