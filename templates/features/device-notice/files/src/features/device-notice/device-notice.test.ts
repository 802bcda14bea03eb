import { expect, test } from 'vitest';
import { startTestService, type TestService } from '../../../test/service.js';
import { signInAs } from '../../../test/sign-in-as.js';
import { requestInfo } from '../../http/request.js';
import { startSession } from '../../session/finish-login.js';
import { newDeviceMail } from './mails.js';

async function signInFrom({ services }: TestService, userId: string, userAgent: string) {
  const request = requestInfo({
    method: 'POST',
    params: {},
    search: '',
    ip: '203.0.113.7',
    header: (name) => (name === 'user-agent' ? userAgent : undefined),
    readBody: async () => Buffer.alloc(0),
  });
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
  await signInFrom(service, user.id, 'Firefox on a stolen laptop');
  expect(await service.mails()).toEqual([
    newDeviceMail('ada@example.com', 'Firefox on a stolen laptop', '203.0.113.7'),
  ]);
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

test('attack: a User-Agent cannot put markup into the mail', async () => {
  const { service, user } = await signedInOnce();
  await signInFrom(service, user.id, '<a href="https://evil.example">click</a>');
  const [mail] = await service.mails();
  expect(mail?.html).toContain('&lt;a href=&quot;https://evil.example&quot;&gt;');
});
