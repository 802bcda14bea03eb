import { expect, test, vi } from 'vitest';
import { nativeClient } from '../../../test/client.js';
import { closedGate } from '../../../test/gate.js';
import {
  createPasswordAccount,
  disableAccount,
  requestResetToken,
} from '../../../test/password-account.js';
import { startSingleInstance, startTestService } from '../../../test/service.js';
import { signInAs } from '../../../test/sign-in-as.js';
import { sendBytes } from '../../../test/wire.js';

test('the link is mailed to the address and leads to the front end', async () => {
  const service = await startTestService({ APP_URL: 'https://app.example.com' });
  const { email } = await createPasswordAccount(service);

  const { status, body } = await nativeClient(service).post('/forgot-password', { email });

  expect([status, body]).toEqual([200, { success: true }]);
  const mails = await service.mails();
  expect(mails).toHaveLength(1);
  expect(mails[0]).toMatchObject({ to: email, subject: 'Reset your password' });
  const link = /https:\/\/app\.example\.com\/reset-password\?token=[0-9a-f]{64}\b/;
  expect(mails[0]?.text).toMatch(link);
  expect(mails[0]?.html).toMatch(link);
});

test('enumeration: an address without an account is answered alike and mailed nothing', async () => {
  const service = await startTestService();
  const { email } = await createPasswordAccount(service);
  const client = nativeClient(service);

  const known = await client.post('/forgot-password', { email });
  const unknown = await client.post('/forgot-password', { email: 'nobody@example.com' });

  expect([unknown.status, unknown.body]).toEqual([known.status, known.body]);
  expect([...unknown.headers.keys()]).toEqual([...known.headers.keys()]);
  expect((await service.mails()).map(({ to }) => to)).toEqual([email]);
});

test('enumeration by time: the answer waits neither for the look-up nor for the mail', async () => {
  const [lookUp, delivery] = [closedGate(), closedGate()];
  const send = vi.fn(() => delivery.opened);
  const service = await startSingleInstance({}, { mailer: { send } });
  const { email } = await createPasswordAccount(service);
  const { users } = service.services;
  const findByEmail = users.findByEmail;
  vi.spyOn(users, 'findByEmail').mockImplementation(async (address) => {
    await lookUp.opened;
    return findByEmail(address);
  });

  const { status } = await nativeClient(service).post('/forgot-password', { email });

  expect(status).toBe(200);
  expect(send).not.toHaveBeenCalled();
  lookUp.open();
  await vi.waitFor(() => expect(send).toHaveBeenCalledOnce());
  delivery.open();
});

test('host header injection: the link never leads where the request says it came to', async () => {
  const service = await startTestService({ APP_URL: 'https://app.example.com' });
  const { email } = await createPasswordAccount(service);

  const body = JSON.stringify({ email });
  const request = [
    'POST /auth/forgot-password HTTP/1.1',
    'Host: evil.example',
    'X-Forwarded-Host: evil.example',
    'X-Forwarded-Proto: https',
    'Forwarded: host=evil.example;proto=https',
    'Referer: https://evil.example/',
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    'Connection: close',
  ];
  const [answer] = await sendBytes(service, [...request, '', body].join('\r\n'));

  expect(answer?.status).toBe(200);
  const [mail] = await service.mails();
  expect(mail?.text).toContain('https://app.example.com/reset-password?token=');
  expect(JSON.stringify(mail)).not.toContain('evil');
});

test('another spelling of the address reaches the same account, at the stored address', async () => {
  const service = await startTestService();
  const { email } = await createPasswordAccount(service, { email: 'ada@example.com' });

  await nativeClient(service).post('/forgot-password', { email: ' ＡDA@Example.com ' });

  expect((await service.mails()).map(({ to }) => to)).toEqual([email]);
});

test('an account that never had a password gets its first one by the link', async () => {
  const service = await startTestService();
  const { user } = await signInAs(service);
  const token = await requestResetToken(service, user.email);
  const client = nativeClient(service);

  await client.post('/reset-password', { token, newPassword: 'a first password' });

  const login = { email: user.email, password: 'a first password' };
  expect((await client.post('/login', login)).status).toBe(200);
});

test('a disabled account is mailed no link, and its request is answered alike', async () => {
  const service = await startTestService();
  const { id, email } = await createPasswordAccount(service);
  await disableAccount(service, id);

  const { status, body } = await nativeClient(service).post('/forgot-password', { email });

  expect([status, body]).toEqual([200, { success: true }]);
  expect(await service.mails()).toEqual([]);
});

test('a mail that cannot be sent is no affair of the answer', async () => {
  const send = vi.fn(async () => {
    throw new Error('no route to host');
  });
  const service = await startTestService({}, { mailer: { send } });
  const { email } = await createPasswordAccount(service);

  const { status } = await nativeClient(service).post('/forgot-password', { email });
  await service.mails();

  expect(status).toBe(200);
  expect(send).toHaveBeenCalledOnce();
});

test.each([
  ['missing', {}],
  ['a number', { email: 1 }],
  ['a list', { email: ['ada@example.com'] }],
  ['empty', { email: '' }],
  ['endless', { email: `${'a'.repeat(600)}@example.com` }],
])('an address that is %s is refused', async (_name, body) => {
  const service = await startTestService();

  const answer = await nativeClient(service).post('/forgot-password', body);

  expect([answer.status, answer.body.code]).toEqual([400, 'VALIDATION_FAILED']);
});
