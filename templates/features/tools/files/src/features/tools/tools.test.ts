import { expect, test } from 'vitest';
import {
  addScript,
  callTools,
  emittedBy,
  lastRun,
  runScript,
  signatureOf,
} from '../../../test/inbound.js';
import { startOwnApp } from '../../../test/own-app.js';
import { startTestService } from '../../../test/service.js';
import { signInAs } from '../../../test/sign-in-as.js';
import { tools } from './feature.js';

const OK = { status: 200, body: { ok: true } };
const EMIT = "result = { event: 'x.y', data: body }";

test('the event of the result is emitted, with data, user and tenant', async () => {
  const service = await startTestService();
  const result = "{ event: 'x.y', data: { got: body.x }, userId: 'u', tenantId: 't' }";
  expect(await runScript(service, `result = ${result}`, {}, { x: [1] })).toMatchObject(OK);
  const [event] = await emittedBy(service);
  expect(event).toMatchObject({ data: { got: [1] }, metadata: { userId: 'u', tenantId: 't' } });
});

test('a call with an Origin header runs the script: senders are no pages, and no session counts', async () => {
  const service = await startTestService();
  await addScript(service, EMIT);
  expect(await callTools(service, {}, { origin: 'https://sender.example' })).toEqual(OK);
  expect(await emittedBy(service)).toHaveLength(1);
});

test('a script that asks for no event, or for one that it may not emit, emits nothing', async () => {
  const service = await startTestService();
  const before = (await service.events()).length;
  for (const script of [
    'result = null',
    'const nothing = 1',
    'result = { event: 7 }',
    "result = { event: 'a b' }",
    "throw new Error('no')",
    'result = {',
  ]) {
    expect(await runScript(service, script), script).toMatchObject(OK);
  }
  const elsewhere = { events: ['identity.tenant.created'] };
  expect(await runScript(service, EMIT, elsewhere)).toMatchObject(OK);
  expect(await service.events()).toHaveLength(before);
});

test('attack: an event with odd contents is acknowledged like any other', async () => {
  const service = await startTestService();
  for (const result of [
    "{ event: 'x.y', userId: 'a\\0b', tenantId: 'a\\0b' }",
    "{ event: 'x.y', userId: 'u'.repeat(5000) }",
    "{ event: 'x.y', userId: 'u'.repeat(128) }",
    "{ event: 'x.y', data: JSON.parse('['.repeat(4000) + ']'.repeat(4000)) }",
    "{ event: 'identity.auth.logout' }",
    "{ event: 'identity.session.revoked', data: { sessionId: {} } }",
  ]) {
    expect(await runScript(service, `result = ${result}`), result).toMatchObject(OK);
  }
});

test('a script that fails is logged, counted and visible', async () => {
  const service = await startTestService();
  const { id } = await addScript(service, "console.log('so far', 1); throw new Error('no')");
  await callTools(service);
  expect(await lastRun(service, id)).toMatchObject({ error: 'no', log: ['so far 1'], event: null });
  const { total, failed } = await service.services.tools.list(id, { limit: 1, offset: 0 });
  expect([total, failed]).toEqual([1, 1]);
});

test('what a database would refuse is left out of the record of a run', async () => {
  const service = await startTestService();
  const { run } = await runScript(
    service,
    "console.log('\\0\\ud800'); throw new Error('a\\0b\\ud800')",
  );
  expect(run).toMatchObject({ error: 'ab\ufffd', log: [expect.any(String)] });
});

test('attack: a script cannot emit what the service itself emits', async () => {
  const service = await startTestService();
  const before = (await service.events()).length;
  for (const name of ['identity.session.created', 'identity.auth.login.success']) {
    const { run } = await runScript(service, `result = { event: '${name}', data: {} }`);
    expect(run).toMatchObject({ error: null, event: null });
  }
  expect(await service.events()).toHaveLength(before);
  await runScript(service, "result = { event: 'identity.tenant.created' }");
  expect(await service.events()).toHaveLength(before + 1);
});

test('a body of any JSON reaches the script and its actions, and a result after an await counts', async () => {
  const service = await startTestService();
  const echo = "result = { event: 'x.y', data: await actions['echo.say'](body) }";
  for (const sent of [[1, 2], 'text', 7, null, { a: { b: 'ü\u0000' } }]) {
    expect(await runScript(service, echo, {}, JSON.stringify(sent))).toMatchObject(OK);
    expect((await emittedBy(service)).at(-1)?.data).toEqual(sent);
  }
});

test('a body of any type of JSON is taken', async () => {
  const service = await startTestService();
  await addScript(service, EMIT);
  for (const type of ['application/cloudevents+json', 'application/vnd.a.b+json; charset=utf-8']) {
    expect(await callTools(service, { a: 1 }, { 'content-type': type })).toEqual(OK);
  }
  expect(await emittedBy(service)).toHaveLength(2);
  const almost = { 'content-type': 'text/plain+jsonx' };
  expect((await callTools(service, {}, almost)).body.code).toBe('UNSUPPORTED_MEDIA_TYPE');
});

test('calls that cannot be served are refused', async () => {
  const service = await startTestService();
  const { id } = await addScript(service, EMIT);
  await addScript(service, EMIT, { provider: 'off', isActive: false });
  const answers = [
    await callTools(service, '{'),
    await callTools(service, '['.repeat(40_000) + ']'.repeat(40_000)),
    await callTools(service, {}, {}, 'nobody'),
    await callTools(service, {}, {}, 'off'),
    await callTools(service, 'x'.repeat(200_000)),
    await callTools(service, '{}', { 'content-type': 'text/plain' }),
  ];
  expect(answers.map(({ status, body }) => [status, body.code])).toEqual([
    [400, 'INVALID_JSON'],
    [400, 'INVALID_JSON'],
    [404, 'WEBHOOK_NOT_FOUND'],
    [404, 'WEBHOOK_NOT_FOUND'],
    [413, 'BODY_TOO_LARGE'],
    [415, 'UNSUPPORTED_MEDIA_TYPE'],
  ]);
  expect(await lastRun(service, id)).toBeUndefined();
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

test('a signature holds in an app that parses JSON before the service sees it', async () => {
  const app = await startOwnApp();
  await addScript(app, 'result = null', { secret: 'a-shared-secret' });
  const raw = '{ "a" :  1.0, "a": 2 }';
  expect(await callTools(app, raw, signatureOf(raw))).toEqual(OK);
  expect((await callTools(app, '{"a":2}', signatureOf(raw))).status).toBe(401);
});

test('attack: a stranger without the signature does not use up the calls of the provider', async () => {
  const service = await startTestService({ RATE_LIMIT: 'on' });
  const { id } = await addScript(service, 'result = null', { secret: 'a-shared-secret' });
  const { points } = tools.limits.callsOfProvider;
  await service.services.limiter.consume(Array(points).fill(['callsOfProvider', id]));
  // Refused before anything is counted.
  expect((await callTools(service, '{}')).status).toBe(401);
  expect((await callTools(service, '{}', signatureOf('{}'))).status).toBe(429);
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
  const service = await startTestService();
  const { user, client } = await signInAs(service, { email: 'ada@example.com' });
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

test('an action refuses input that does not fit, and the script can catch it', async () => {
  const service = await startTestService();
  await runScript(
    service,
    "try { await actions['users.find']({ email: 7 }) } catch (e) { result = { event: 'x.y', data: e.message } }",
  );
  expect(String((await emittedBy(service))[0]?.data)).toContain('users.find');
});
