import { expect, test, vi } from 'vitest';
import { nativeClient } from '../../../test/client.js';
import {
  createPasswordAccount,
  disableAccount,
  requestResetToken,
} from '../../../test/password-account.js';
import { startTestService } from '../../../test/service.js';
import { signInAs } from '../../../test/sign-in-as.js';

const MINUTE = 60_000;

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

test('enumeration by time: the answer does not wait for the look-up, nor for the mail', async () => {
  const send = vi.fn(() => new Promise<void>(() => {}));
  const service = await startTestService({}, { mailer: { send } });
  const { email } = await createPasswordAccount(service);
  let lookUp: () => void = () => {};
  const found = service.services.users.findByEmail;
  const findByEmail = vi.spyOn(service.services.users, 'findByEmail');
  findByEmail.mockImplementation(async (address) => {
    await new Promise<void>((resolve) => {
      lookUp = resolve;
    });
    return found(address);
  });

  const { status } = await nativeClient(service).post('/forgot-password', { email });

  expect(status).toBe(200);
  expect(send).not.toHaveBeenCalled();
  await vi.waitFor(() => expect(findByEmail).toHaveBeenCalled());
  lookUp();
  await vi.waitFor(() => expect(send).toHaveBeenCalled());
  service.services.background.idle = async () => {};
});

test('host header injection: the link never leads where the request says it came to', async () => {
  const service = await startTestService({ APP_URL: 'https://app.example.com' });
  const { email } = await createPasswordAccount(service);

  await nativeClient(service).post(
    '/forgot-password',
    { email },
    {
      host: 'evil.example',
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'javascript',
      forwarded: 'host=evil.example;proto=http',
      referer: 'https://evil.example/',
    },
  );

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

test('mail bombing: a minute between two mails, five an hour, for known and unknown alike', async () => {
  const service = await startTestService({ RATE_LIMIT: 'on' });
  const { email } = await createPasswordAccount(service);
  const client = nativeClient(service);

  for (const address of [email, 'nobody@example.com']) {
    const ask = () => client.post('/forgot-password', { email: address });
    for (let mail = 1; mail <= 5; mail++) {
      expect((await ask()).status).toBe(200);
      const tooSoon = await ask();
      expect([tooSoon.status, tooSoon.body.code]).toEqual([429, 'RATE_LIMITED']);
      expect(Number(tooSoon.headers.get('retry-after'))).toBeLessThanOrEqual(60);
      service.advance(MINUTE + 1000);
    }
    const sixth = await ask();
    expect(sixth.status).toBe(429);
    expect(Number(sixth.headers.get('retry-after'))).toBeGreaterThan(50 * 60);
    service.advance(55 * MINUTE);
    expect((await ask()).status).toBe(200);
    service.advance(60 * MINUTE);
  }
  expect((await service.mails()).map(({ to }) => to)).toEqual(Array(6).fill(email));
});
