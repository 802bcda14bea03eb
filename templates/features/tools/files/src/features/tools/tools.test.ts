import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { addScript, callTools, lastRun } from '../../../test/inbound.js';
import { startSingleInstance, startTestService, type TestService } from '../../../test/service.js';
import { signInAs } from '../../../test/sign-in-as.js';
import { rateLimits } from '../../rate-limits.js';

async function eventsNamed(service: TestService, name: string) {
  return (await service.events()).filter(({ event }) => String(event) === name);
}

const EMIT = "result = { event: 'identity.tenant.user.removed', data: { got: body } }";

test('the event of the result is emitted, with data, user and tenant', async () => {
  const service = await startTestService();
  await addScript(
    service,
    "result = { event: 'identity.tenant.user.removed', data: { got: body.x }, userId: 'u', tenantId: 't' }",
  );
  const { status, body } = await callTools(service, { x: [1] });
  expect([status, body]).toEqual([200, { ok: true }]);
  const [event] = await eventsNamed(service, 'identity.tenant.user.removed');
  expect(event).toMatchObject({ data: { got: [1] }, metadata: { userId: 'u', tenantId: 't' } });
});

test.each([
  ['null', 'result = null'],
  ['unset', 'const nothing = 1'],
  ['malformed', 'result = { event: 7 }'],
  ['a name that is none', "result = { event: 'a b' }"],
  ['an error', "throw new Error('no')"],
  ['a syntax error', 'result = {'],
])('%s: acknowledged, nothing emitted', async (_, script) => {
  const service = await startTestService();
  await addScript(service, script);
  const before = (await service.events()).length;
  expect(await callTools(service)).toEqual({ status: 200, body: { ok: true } });
  expect(await service.events()).toHaveLength(before);
});

test.each([
  ['of a user with NUL', "{ event: 'x.y', userId: 'a\\0b', tenantId: 'a\\0b' }"],
  ['of a user with a long name', "{ event: 'x.y', userId: 'u'.repeat(5000) }"],
  ['of a user with an odd name', "{ event: 'x.y', userId: 'u'.repeat(128) }"],
  ['nested deeply', "{ event: 'x.y', data: JSON.parse('['.repeat(4000) + ']'.repeat(4000)) }"],
])('attack: an event %s is acknowledged like any other', async (_, result) => {
  const service = await startTestService();
  await addScript(service, `result = ${result}`);
  expect(await callTools(service)).toEqual({ status: 200, body: { ok: true } });
});

test('attack: a body that is nested too deeply runs nothing', async () => {
  const service = await startTestService();
  const { id } = await addScript(service, EMIT);
  const { status, body } = await callTools(service, '['.repeat(40_000) + ']'.repeat(40_000));
  expect([status, body.code]).toEqual([400, 'INVALID_JSON']);
  expect(await lastRun(service, id)).toBeUndefined();
});

test('attack: a stranger without the signature does not use up the calls of the provider', async () => {
  const service = await startSingleInstance({ RATE_LIMIT: 'on' });
  const { id } = await addScript(service, 'result = null', { secret: 'a-shared-secret' });
  const { points } = rateLimits.callsOfProvider;
  const calls = Array(points).fill(['callsOfProvider', id]);
  await service.services.limiter.consume(calls);
  const hmac = createHmac('sha256', 'a-shared-secret').update('{}').digest('hex');
  const signed = { 'x-webhook-signature': `sha256=${hmac}` };

  // Who cannot sign is refused before anything is counted.
  expect((await callTools(service, '{}')).status).toBe(401);
  expect((await callTools(service, '{}', signed)).status).toBe(429);
});

test('a script that fails is logged, counted and visible', async () => {
  const service = await startTestService();
  const { id } = await addScript(service, "console.log('so far', 1); throw new Error('no')");
  await callTools(service);
  expect(await lastRun(service, id)).toMatchObject({ error: 'no', log: ['so far 1'], event: null });
  const { total, failed } = await service.services.tools.list(id, { limit: 1, offset: 0 });
  expect([total, failed]).toEqual([1, 1]);
});

test('an event that the webhook may not emit is not emitted', async () => {
  const service = await startTestService();
  await addScript(service, EMIT, { events: ['identity.tenant.created'] });
  await callTools(service);
  expect(await eventsNamed(service, 'identity.tenant.user.removed')).toEqual([]);
});

test('await works: a result that is set after it counts', async () => {
  const service = await startTestService();
  const script =
    "const said = await actions['echo.say']({ a: 1 }); result = { event: 'x.y', data: said }";
  await addScript(service, script);
  await callTools(service);
  expect((await eventsNamed(service, 'x.y'))[0]?.data).toEqual({ a: 1 });
});

test.each([[[1, 2]], ['text'], [7], [null], [{ a: { b: 'ü\u0000' } }]])(
  'a body of any JSON reaches the script: %j',
  async (sent) => {
    const service = await startTestService();
    await addScript(service, "result = { event: 'x.y', data: body }");
    expect((await callTools(service, JSON.stringify(sent))).status).toBe(200);
    expect((await eventsNamed(service, 'x.y'))[0]?.data).toEqual(sent);
  },
);

test('broken JSON is 400, an unknown or inactive provider 404, a body too large 413', async () => {
  const service = await startTestService();
  await addScript(service, EMIT);
  await addScript(service, EMIT, { provider: 'off', isActive: false });
  const codes = [
    await callTools(service, '{'),
    await callTools(service, {}, {}, 'nobody'),
    await callTools(service, {}, {}, 'off'),
    await callTools(service, 'x'.repeat(200_000)),
    await callTools(service, '{}', { 'content-type': 'text/plain' }),
  ].map(({ status, body }) => [status, body.code]);
  expect(codes).toEqual([
    [400, 'INVALID_JSON'],
    [404, 'WEBHOOK_NOT_FOUND'],
    [404, 'WEBHOOK_NOT_FOUND'],
    [413, 'BODY_TOO_LARGE'],
    [415, 'UNSUPPORTED_MEDIA_TYPE'],
  ]);
});

test('attack: without the right signature over the raw body nothing runs', async () => {
  const service = await startTestService();
  const { id } = await addScript(service, EMIT, { secret: 'a-shared-secret' });
  const raw = '{ "a" :  1 }';
  const sign = (text: string, key = 'a-shared-secret') => ({
    'x-webhook-signature': `sha256=${createHmac('sha256', key).update(text).digest('hex')}`,
  });
  for (const headers of [
    {},
    { 'x-webhook-signature': '' },
    { 'x-webhook-signature': 'sha256=' },
    { 'x-webhook-signature': `sha1=${'0'.repeat(40)}` },
    sign(raw, 'another-secret'),
    sign('{"a":1}'),
  ]) {
    const { status, body } = await callTools(service, raw, headers);
    expect([status, body.code]).toEqual([401, 'INVALID_SIGNATURE']);
  }
  expect(await lastRun(service, id)).toBeUndefined();
  expect((await callTools(service, raw, sign(raw))).status).toBe(200);
  expect(await lastRun(service, id)).toMatchObject({ error: null });
});

test('the rules of the specification decide which actions a script has', async () => {
  const service = await startTestService();
  const list = "result = { event: 'x.y', data: Object.keys(actions).sort() }";
  for (const [enabled, allowed, had] of [
    [['echo.say'], ['echo.say'], ['echo.say']],
    [[], ['echo.say'], []],
    [['echo.say'], [], []],
    [['users.sessions'], ['users.sessions'], []],
    [['users.sessions', 'users.find'], ['users.sessions'], ['users.sessions']],
    [['none.such'], ['none.such'], []],
  ]) {
    const provider = `p${Math.random()}`;
    await addScript(service, list, { provider, allowedActions: allowed ?? [] }, enabled);
    await callTools(service, {}, {}, provider);
    expect((await eventsNamed(service, 'x.y')).at(-1)?.data).toEqual(had);
  }
});

test('the shipped actions find, list, disable and mail', async () => {
  const service = await startTestService();
  const { user, client } = await signInAs(service, { email: 'ada@example.com' });
  await addScript(
    service,
    `const user = await actions['users.find']({ email: body.email });
     const sessions = await actions['users.sessions']({ id: user.id });
     await actions['mail.send']({ to: body.email, subject: 'Goodbye', text: 'So long.' });
     const disabled = await actions['users.disable']({ id: user.id });
     result = { event: 'x.y', data: { id: user.id, sessions: sessions.length, disabled } }`,
  );
  await callTools(service, { email: 'ada@example.com' });
  expect((await eventsNamed(service, 'x.y'))[0]?.data).toEqual({
    id: user.id,
    sessions: 1,
    disabled: true,
  });
  expect((await service.mails()).map(({ subject }) => subject)).toEqual(['Goodbye']);
  expect((await client.get('/me')).status).toBe(401);
});

test('an action refuses what its input does not allow, and the script can catch it', async () => {
  const service = await startTestService();
  await addScript(
    service,
    "try { await actions['users.find']({ email: 7 }) } catch (e) { result = { event: 'x.y', data: e.message } }",
  );
  await callTools(service);
  expect(String((await eventsNamed(service, 'x.y'))[0]?.data)).toContain('users.find');
});
