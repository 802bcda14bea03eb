import bcrypt from 'bcrypt';
import { expect, test, vi } from 'vitest';
import { type Answer, nativeClient } from '../../../test/client.js';
import { closedGate } from '../../../test/gate.js';
import { createPasswordAccount, signInWithPassword } from '../../../test/password-account.js';
import { startSingleInstance, startTestService } from '../../../test/service.js';
import { signInAs } from '../../../test/sign-in-as.js';

test('a hash of a lower cost becomes one of the configured cost at the next sign-in', async () => {
  const service = await startTestService({ BCRYPT_COST: '11' });
  const { password: passwords } = service.services;
  const account = await createPasswordAccount(service);
  await passwords.save(account.id, await bcrypt.hash(account.password, 10));

  await signInWithPassword(service, account);
  await service.idle();

  expect(bcrypt.getRounds((await passwords.findHash(account.id)) ?? '')).toBe(11);
  await signInWithPassword(service, account);
});

test('a wrong password makes no new hash, and neither does one of a higher cost', async () => {
  const service = await startTestService({ BCRYPT_COST: '10' });
  const { password: passwords } = service.services;
  const { id, email, password } = await createPasswordAccount(service);
  const stronger = await bcrypt.hash(password, 11);
  await passwords.save(id, stronger);

  await nativeClient(service).post('/login', { email, password: 'a guess' });
  await signInWithPassword(service, { email, password });
  await service.idle();

  expect(await passwords.findHash(id)).toBe(stronger);
});

test('a password that changes while the old one is hashed anew stays changed', async () => {
  const service = await startTestService({ BCRYPT_COST: '11' });
  const { password: passwords } = service.services;
  const account = await createPasswordAccount(service);
  await passwords.save(account.id, await bcrypt.hash(account.password, 10));
  const gate = closedGate();
  const hash = bcrypt.hash;
  vi.spyOn(bcrypt, 'hash').mockImplementationOnce(async (data, cost) => {
    await gate.opened;
    return hash(data, cost);
  });

  await signInWithPassword(service, account);
  const changed = await hash('another password', 11);
  await passwords.save(account.id, changed);
  gate.open();
  await service.idle();

  expect(await passwords.findHash(account.id)).toBe(changed);
});

test('while sign-ins are being hashed, everybody else is served as ever', async () => {
  const service = await startTestService();
  const { client } = await signInAs(service);
  let hashed = 0;
  const logins = Array.from({ length: 24 }, async () => {
    await nativeClient(service).post('/login', { email: 'a@example.com', password: 'a guess' });
    hashed += 1;
  });

  for (let nth = 0; nth < 10; nth++) expect((await client.get('/me')).status).toBe(200);

  expect(hashed).toBeLessThan(24);
  await Promise.all(logins);
});

test('exhaustion: past two hundred that wait, a sign-in is told to come back instead of waiting', async () => {
  const service = await startSingleInstance();
  const { client } = await signInAs(service);
  const gate = closedGate();
  vi.spyOn(bcrypt, 'compare').mockImplementation(async () => {
    await gate.opened;
    return false;
  });
  const refused: Answer[] = [];
  const logins = Array.from({ length: 230 }, async () => {
    const body = { email: 'a@example.com', password: 'a guess' };
    const answer = await nativeClient(service).post('/login', body);
    if (answer.status !== 401) refused.push(answer);
  });

  await vi.waitFor(() => expect(refused.length).toBeGreaterThanOrEqual(26), 20_000);
  expect((await client.get('/me')).status).toBe(200);
  gate.open();
  await Promise.all(logins);

  expect(refused.length).toBeLessThan(30);
  for (const { status, body, headers } of refused) {
    expect([status, body.code]).toEqual([503, 'UNAVAILABLE']);
    expect(headers.get('retry-after')).toBe('2');
  }
  vi.restoreAllMocks();
  await signInWithPassword(service, await createPasswordAccount(service));
});
