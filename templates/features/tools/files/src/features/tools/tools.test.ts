import { expect, test } from 'vitest';
import {
  addScript,
  callTools,
  emittedBy,
  lastRun,
  runScript,
  signatureOf,
} from '../../../test/inbound.js';
import { openLog, startTestService } from '../../../test/service.js';
import { startSignedIn } from '../../../test/sign-in-as.js';

const OK = { status: 200, body: { ok: true } };

const EMIT = "result = { event: 'x.y', data: body }";

test("the event of the result is emitted, with data, user and the webhook's tenant or else its own", async () => {
  const service = await startTestService();
  const result = "{ event: 'x.y', data: { got: body.x }, userId: 'u', tenantId: 't' }";
  expect(await runScript(service, `result = ${result}`, {}, { x: [1] })).toMatchObject(OK);
  await runScript(service, `result = ${result}`, { tenantId: 'acme' });
  const [event, scoped] = await emittedBy(service);
  expect(event).toMatchObject({ data: { got: [1] }, metadata: { userId: 'u', tenantId: 't' } });
  expect(scoped?.metadata.tenantId).toBe('acme');
});

test('attack: a script cannot emit what the service itself emits', async () => {
  const { log, lines } = openLog('warn');
  const service = await startTestService({}, { log });
  const before = (await service.events()).length;
  for (const family of ['user', 'session', 'auth', 'role']) {
    const name = `identity.${family}.created`;
    const { run } = await runScript(service, `result = { event: '${name}', data: {} }`);
    const log = [`${name} was not emitted: the name is reserved.`];
    expect(run).toMatchObject({ error: null, event: null, log });
    const told = { event: name, msg: 'a script may not emit this event' };
    expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject(told);
  }
  expect(await service.events()).toHaveLength(before);
  for (const name of ['identity.tenant.created', 'identity.users', 'order.paid']) {
    await runScript(service, `result = { event: '${name}' }`);
  }
  expect(await service.events()).toHaveLength(before + 3);
});

test('attack: without the right signature over the raw body nothing runs', async () => {
  const service = await startTestService();
  const { id } = await addScript(service, EMIT, { secret: 'a-shared-secret' });
  const raw = '{ "a" :  1 }';
  for (const headers of [
    {},
    { 'x-webhook-signature': '' },
    { 'x-webhook-signature': 'sha256=' },
    { 'x-webhook-signature': `sha1=${'0'.repeat(40)}` },
    signatureOf(raw, 'another-secret'),
    signatureOf('{"a":1}'),
  ]) {
    const { status, body } = await callTools(service, raw, headers);
    expect([status, body.code]).toEqual([401, 'INVALID_SIGNATURE']);
  }
  expect(await lastRun(service, id)).toBeUndefined();
  expect(await callTools(service, raw, signatureOf(raw))).toEqual(OK);
  expect(await lastRun(service, id)).toMatchObject({ error: null });
});

test('a script has the actions that are enabled, allowed to it, and whose dependencies are enabled', async () => {
  const service = await startTestService();
  const list = "result = { event: 'x.y', data: Object.keys(actions).sort() }";
  for (const [enabled = [], allowedActions = [], expected] of [
    [['echo.say'], ['echo.say'], ['echo.say']],
    [[], ['echo.say'], []],
    [['echo.say'], [], []],
    [['users.sessions'], ['users.sessions'], []],
    [['users.sessions', 'users.find'], ['users.sessions'], ['users.sessions']],
    [['none.such'], ['none.such'], []],
  ]) {
    const provider = `p${Math.random()}`;
    await addScript(service, list, { provider, allowedActions }, enabled);
    await callTools(service, {}, {}, provider);
    expect((await emittedBy(service)).at(-1)?.data).toEqual(expected);
  }
});

test('the shipped actions find, list, disable and mail', async () => {
  const { service, user, client } = await startSignedIn({ email: 'ada@example.com' });
  await runScript(
    service,
    `const user = await actions['users.find']({ email: body.email });
     const sessions = await actions['users.sessions']({ id: user.id });
     await actions['mail.send']({ to: body.email, subject: 'Goodbye', text: 'So long.' });
     const disabled = await actions['users.disable']({ id: user.id });
     result = { event: 'x.y', data: { id: user.id, sessions: sessions.length, disabled } }`,
    {},
    { email: 'ada@example.com' },
  );
  const [event] = await emittedBy(service);
  expect(event?.data).toEqual({ id: user.id, sessions: 1, disabled: true });
  expect((await service.mails()).map(({ subject }) => subject)).toEqual(['Goodbye']);
  expect((await client.get('/me')).status).toBe(401);
});

test.each([
  ['the names of the host', '[typeof process, typeof require, typeof fetch].join()'],
  ['an action', "actions['echo.say'].constructor('return typeof process')()"],
  ['the body', "body.constructor.constructor('return typeof process')()"],
  ['an action that it is not allowed', "typeof actions['mail.send']"],
])('attack: a script comes out of its realm by %s', async (_name, reach) => {
  const service = await startTestService();
  const script = `try { console.log(${reach}) } catch { console.log('undefined') }`;
  const { id } = await addScript(service, script, { allowedActions: ['echo.say'] });
  await callTools(service);
  const run = await lastRun(service, id);
  expect(run?.log.join()).toMatch(/^undefined(,undefined)*$/);
});
