import { expect, test, vi } from 'vitest';
import * as z from 'zod';
import { password } from '../../src/features/password/feature.js';
import { randomId } from '../../src/process/random.js';
import { browser, nativeClient } from '../client.js';
import { createPasswordAccount, requestResetToken } from '../flows/password.js';
import { policy } from '../policy.js';
import { startTestService } from '../service.js';
import { signInAs } from '../sign-in-as.js';
import { isWayIn, outcomeOf, routesOf, startWithFlows } from './flow.js';

test('F-11 kratos, lockout increments on SQLite class refused: of two hundred parallel guesses at two instances, five at most are compared', async () => {
  const variables = { RATE_LIMIT: 'on', TRUST_PROXY: '1' };
  const service = await startTestService(variables);
  const other = await startTestService({ ...service.environment, ...variables });
  const { email } = await createPasswordAccount(service);
  const statuses = await Promise.all(
    Array.from({ length: 200 }, async (_, nth) => {
      const from = { 'x-forwarded-for': `203.0.113.${nth}` };
      const client = nativeClient(nth % 2 === 0 ? service : other);
      return (await client.post('/login', { email, password: `guess ${nth}` }, from)).status;
    }),
  );
  const { points } = password.limits.loginOfAccount;
  const times = (wanted: number) => statuses.filter((status) => status === wanted).length;
  expect(times(401)).toBeLessThanOrEqual(points);
  // A busy machine refuses some with 503, before it checks them.
  expect(times(401) + times(429) + times(503)).toBe(200);
});

test('F-19 GHSA-25rw-g6ff-fmg8 class refused: the policy is asked at every route that sets a password', async () => {
  const service = await startTestService();
  vi.spyOn(policy, 'passwordProblem').mockResolvedValue('Too weak.');
  const { accessToken } = await signInAs(service, { role: 'admin' });
  const client = nativeClient({ ...service, prefix: '' }, accessToken);
  let tried = 0;
  for (const { method, path, body, signsIn } of routesOf(service)) {
    const { properties = {} } = body ? z.toJSONSchema(body, { io: 'input' }) : {};
    const fields = Object.keys(properties).filter((name) => /^(new)?password$/i.test(name));
    if (fields.length === 0 || signsIn) continue;
    const { email } = await createPasswordAccount(service);
    const known = { email: `${randomId()}@example.com`, currentPassword: '' };
    const token = 'token' in properties ? await requestResetToken(service, email) : undefined;
    const weak = Object.fromEntries(fields.map((name) => [name, 'correct horse']));
    const answer = await client.send(method, path, { ...known, token, ...weak });
    expect([path, answer.status, answer.body.details?.[0]?.message]).toEqual([
      path,
      400,
      'Too weak.',
    ]);
    tried += 1;
  }
  expect(tried).toBeGreaterThan(1);
});

test('F-32 Keycloak GHSA-cq42 class refused: a botnet that guesses all day locks the owner out of neither their own browsers nor other ways in', async () => {
  const { service, flows } = await startWithFlows({ RATE_LIMIT: 'on', TRUST_PROXY: '1' });
  let last = 0;
  const lock = async (email: string) => {
    const guess = { email, password: 'a guess' };
    for (let nth = 0; nth < 20; nth++) {
      last += 1;
      // A different IP address each time (RFC 2544).
      const from = { 'x-forwarded-for': `198.18.0.${last}` };
      if ((await nativeClient(service).post('/login', guess, from)).status === 429) return;
    }
    throw new Error('The address is not locked.');
  };
  const account = await createPasswordAccount(service);
  const own = browser(service);
  const signIn = async () => (await own.post('/login', account)).status;
  expect(await signIn()).toBe(200);
  for (let hour = 0; hour < 24; hour += 8) {
    await lock(account.email);
    expect([hour, await signIn()]).toEqual([hour, 200]);
    service.advance(8 * 60 * 60 * 1000);
  }
  const others = flows.filter((flow) => isWayIn(flow) && flow.route !== 'POST /login');
  for (const flow of others) {
    const person = await signInAs(service);
    await flow.enrol?.(service, person);
    // After the minimum time between two texts.
    service.advance(61_000);
    await lock(person.user.email);
    const answer = await (await flow.start(service, person, browser(service))).send();
    expect([flow.route, outcomeOf(answer)]).toEqual([flow.route, 'session']);
  }
});
