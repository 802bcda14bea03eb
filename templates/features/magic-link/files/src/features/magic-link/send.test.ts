import { expect, test, vi } from 'vitest';
import { nativeClient } from '../../../test/client.js';
import { closedGate } from '../../../test/gate.js';
import { startSingleInstance, startTestService } from '../../../test/service.js';
import { signInAs } from '../../../test/sign-in-as.js';

const MINUTE = 60_000;
const LINK = /https:\/\/app\.example\.com\/magic-link\?token=[0-9a-f]{64}(?=["\s<]|$)/;

test('the link is mailed to the address and leads to the front end', async () => {
  const service = await startTestService({ APP_URL: 'https://app.example.com' });
  const { email } = (await signInAs(service)).user;

  const { status, body } = await nativeClient(service).post('/magic-link/send', { email });

  expect([status, body]).toEqual([200, { success: true }]);
  const mails = await service.mails();
  expect(mails).toHaveLength(1);
  expect(mails[0]).toMatchObject({ to: email, subject: 'Your link to sign in' });
  expect(mails[0]?.text).toMatch(LINK);
  expect(mails[0]?.html).toMatch(LINK);
});

test('enumeration: an address without an account is answered alike, mailed nothing, given no account', async () => {
  const service = await startTestService();
  const { email } = (await signInAs(service)).user;
  const client = nativeClient(service);

  const known = await client.post('/magic-link/send', { email });
  const unknown = await client.post('/magic-link/send', { email: 'nobody@example.com' });

  expect([unknown.status, unknown.body]).toEqual([known.status, known.body]);
  expect([...unknown.headers.keys()]).toEqual([...known.headers.keys()]);
  expect((await service.mails()).map(({ to }) => to)).toEqual([email]);
  expect(await service.services.users.findByEmail('nobody@example.com')).toBeUndefined();
});

test('enumeration by time: the answer does not wait for the look-up, nor for the mail', async () => {
  const send = vi.fn(async () => {});
  const service = await startSingleInstance({}, { mailer: { send } });
  const { user } = await signInAs(service);
  const lookUp = closedGate();
  vi.spyOn(service.services.users, 'findByEmail').mockImplementation(async () => {
    await lookUp.opened;
    return user;
  });

  const { status } = await nativeClient(service).post('/magic-link/send', { email: user.email });

  expect(status).toBe(200);
  expect(send).not.toHaveBeenCalled();
  await vi.waitFor(() => expect(service.services.users.findByEmail).toHaveBeenCalled());
  lookUp.open();
  await vi.waitFor(() => expect(send).toHaveBeenCalledOnce());
});

test('host header injection: the link never leads where the request says it came to', async () => {
  const service = await startTestService({ APP_URL: 'https://app.example.com' });
  const { email } = (await signInAs(service)).user;

  await nativeClient(service).post(
    '/magic-link/send',
    { email },
    { host: 'evil.example', 'x-forwarded-host': 'evil.example', referer: 'https://evil.example/' },
  );

  const [mail] = await service.mails();
  expect(mail?.text).toMatch(LINK);
  expect(JSON.stringify(mail)).not.toContain('evil');
});

test('another spelling of the address reaches the same account, at the stored address', async () => {
  const service = await startTestService();
  await signInAs(service, { email: 'ada@example.com' });

  await nativeClient(service).post('/magic-link/send', { email: ' ＡDA@Example.com ' });

  expect((await service.mails()).map(({ to }) => to)).toEqual(['ada@example.com']);
});

test('a disabled account is mailed no link, and its request is answered alike', async () => {
  const service = await startTestService();
  const { user } = await signInAs(service);
  await service.services.db.updateTable('users').set({ disabled_at: 1 }).execute();

  const { status, body } = await nativeClient(service).post('/magic-link/send', {
    email: user.email,
  });

  expect([status, body]).toEqual([200, { success: true }]);
  expect(await service.mails()).toEqual([]);
});

test('a mail that cannot be sent is no affair of the answer', async () => {
  const send = vi.fn(async () => {
    throw new Error('no route to host');
  });
  const service = await startTestService({}, { mailer: { send } });
  const { email } = (await signInAs(service)).user;

  const { status } = await nativeClient(service).post('/magic-link/send', { email });
  await service.mails();

  expect(status).toBe(200);
  expect(send).toHaveBeenCalledOnce();
});

test('a language that there is none of, or that is nonsense, gets English', async () => {
  const service = await startTestService();
  const client = nativeClient(service);

  for (const emailLang of ['tlh', '__proto__', 'constructor', 7, null, 'x'.repeat(5000)]) {
    const { email } = (await signInAs(service)).user;
    expect((await client.post('/magic-link/send', { email, emailLang })).status).toBe(200);
  }

  const subjects = (await service.mails()).map(({ subject }) => subject);
  expect(subjects).toEqual(Array(6).fill('Your link to sign in'));
});

test.each([
  ['missing', {}],
  ['null', { email: null }],
  ['a number', { email: 1 }],
  ['a list', { email: ['ada@example.com'] }],
  ['an object', { email: { $ne: '' } }],
  ['empty', { email: '' }],
  ['cut by NUL', { email: 'ada@example.com\0@evil.example' }],
  ['endless', { email: `${'a'.repeat(600)}@example.com` }],
])('an address that is %s is refused', async (_name, body) => {
  const service = await startTestService();

  const answer = await nativeClient(service).post('/magic-link/send', body);

  expect([answer.status, answer.body.code]).toEqual([400, 'VALIDATION_FAILED']);
});

test('mail bombing: a minute between two mails, five an hour, for known and unknown alike', async () => {
  const service = await startSingleInstance({ RATE_LIMIT: 'on' });
  const { user } = await signInAs(service);
  const client = nativeClient(service);

  for (const email of [user.email, 'nobody@example.com']) {
    const ask = () => client.post('/magic-link/send', { email });
    for (let mail = 1; mail <= 5; mail++) {
      expect((await ask()).status).toBe(200);
      const tooSoon = await ask();
      expect([tooSoon.status, tooSoon.body.code]).toEqual([429, 'RATE_LIMITED']);
      expect(Number(tooSoon.headers.get('retry-after'))).toBeLessThanOrEqual(60);
      service.advance(MINUTE + 1000);
    }
    expect((await ask()).status).toBe(429);
  }
  expect(await service.mails()).toHaveLength(5);
});
