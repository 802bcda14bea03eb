import { expect, test } from 'vitest';
import { nativeClient } from './client.js';
import { passFirstFactor } from './factor.js';
import { createPasswordAccount, disableAccount } from './flows/password.js';
import { enrolTotp } from './flows/totp.js';
import { openLog, startTestService } from './service.js';
import { signInAs } from './sign-in-as.js';
import { visitor } from './visitor.js';

const FOREIGN = { origin: 'https://evil.example' };

const ACTION = 'identity.auth.login.failed';

async function startLogged() {
  const { log, lines } = openLog();
  const service = await startTestService({ RATE_LIMIT: 'on' }, { log });
  const entries = () => lines.map((line) => JSON.parse(line));
  return { service, refused: () => entries().filter(({ msg }) => msg === 'sign-in refused') };
}

test('every route that signs in logs a refused request once, with request, method, reason and IP', async () => {
  const { service, refused } = await startLogged();
  const { resources } = service.services;
  const routes = resources
    .flatMap(({ path, routes }) => routes.map((route) => ({ ...route, path })))
    .filter(({ signsIn, method }) => signsIn !== undefined && method === 'POST');
  expect(routes.length).toBeGreaterThan(3);
  const root = nativeClient({ ...service, prefix: '' });
  for (const { path, signsIn } of routes) {
    const before = refused().length;
    const { status, headers } = await root.post(path, {}, FOREIGN);
    expect([path, status]).toEqual([path, 403]);
    expect(refused().slice(before)).toMatchObject([
      {
        requestId: headers.get('x-request-id'),
        method: signsIn,
        reason: 'ORIGIN_NOT_ALLOWED',
        ip: '127.0.0.1',
      },
    ]);
  }
  expect(await service.events()).toEqual([]);
});

test('login CSRF: a form without its guard is a refused sign-in, if it is one', async () => {
  const { service, refused } = await startLogged();
  const person = visitor(service);
  const forged = { form: 'password', email: 'ada@example.com', password: 'of the attacker' };
  expect((await person.post('/auth/ui/login', forged)).status).toBe(403);
  expect((await person.post('/auth/ui/register', { ...forged, form: 'register' })).status).toBe(
    403,
  );
  expect(refused()).toMatchObject([{ method: 'local', reason: 'CSRF_INVALID', ip: '127.0.0.1' }]);
});

test('a wrong second factor is a refused sign-in, of a user who is known by the first', async () => {
  const { service, refused } = await startLogged();
  const { auditLog } = service.services;
  const ada = await signInAs(service);
  await enrolTotp(ada);
  const { tempToken } = await passFirstFactor(service, ada.user.id);

  const wrong = { tempToken, totpCode: 'wrong' };
  const { status, headers } = await nativeClient(service).post('/2fa/verify', wrong);

  expect(status).toBe(400);
  const reason = 'INVALID_TOTP_CODE';
  const requestId = headers.get('x-request-id');
  const userId = ada.user.id;
  expect(refused()).toMatchObject([{ requestId, method: 'totp', reason, ip: '127.0.0.1', userId }]);
  await service.idle();
  const { items } = await auditLog.search({ limit: 9, offset: 0, filter: ACTION });
  const details = { method: 'totp', reason, email: ada.user.email };
  expect(items).toMatchObject([{ actor: userId, target: userId, details, ip: '127.0.0.1' }]);
});

test('flood: answers to an exhausted challenge fill no audit log in the name of its user', async () => {
  const service = await startTestService();
  const ada = await signInAs(service);
  await enrolTotp(ada);
  const { tempToken } = await passFirstFactor(service, ada.user.id);
  const client = nativeClient(service);

  for (let nth = 0; nth < 9; nth++) await client.post('/2fa/verify', { tempToken, totpCode: 'x' });

  await service.idle();
  const { auditLog } = service.services;
  const { items } = await auditLog.search({ limit: 9, offset: 0, filter: ACTION });
  expect(items.filter(({ actor }) => actor === ada.user.id)).toHaveLength(5);
});

const action = 'identity.auth.login.failed';

test('flood: refused sign-ins that nobody in particular made are one entry of an instance', async () => {
  const { services } = await startTestService();
  for (let nth = 0; nth < 310; nth++) services.workers.admin.count('local');
  await services.workers.admin.write();
  await services.workers.admin.stop();
  const { items } = await services.auditLog.search({ limit: 100, offset: 0, event: action });
  expect(items.map(({ details }) => details)).toEqual([{ method: 'local', count: 310 }]);
});

test('the audit log names who was refused after a right password, and counts those before it', async () => {
  const service = await startTestService();
  const { auditLog, workers } = service.services;
  const { id, email, password } = await createPasswordAccount(service);
  const client = nativeClient(service);

  for (const guess of ['one', 'two']) await client.post('/login', { email, password: guess });
  await client.post('/login', { email: 'nobody@example.com', password });
  await disableAccount(service, id);
  const { headers } = await client.post('/login', { email, password });
  await service.idle();
  service.advance(1000);
  await workers.admin.stop();

  const { items: records } = await auditLog.search({ limit: 100, offset: 0, filter: action });
  // Both may have been written in the same millisecond.
  const [counted, named] = records.toSorted((a, b) => (a.actor ?? '').localeCompare(b.actor ?? ''));
  expect([counted, named, records.length]).toMatchObject([
    { action, actor: null, target: null, details: { method: 'local', count: 3 }, ip: null },
    {
      action,
      actor: id,
      target: id,
      details: { method: 'local', reason: 'ACCOUNT_DISABLED', email },
      ip: '127.0.0.1',
      correlationId: headers.get('x-request-id'),
    },
    2,
  ]);
});
