import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { tools } from '../src/features/tools/feature.js';
import { createWebhook } from '../src/features/webhook-configs/feature.js';
import { signInAtAdmin, startWithAdmin } from './administrator.js';
import { addScript, callTools, emittedBy, lastRun, runScript, signatureOf } from './inbound.js';
import { startTestService } from './service.js';
import { signInAs } from './sign-in-as.js';

const OK = { status: 200, body: { ok: true } };

const EMIT = "result = { event: 'x.y', data: body }";

const SCRIPT =
  "const said = await actions['echo.say'](body); result = { event: 'x.y', data: said }";

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

test('what a database would refuse is left out of the record of a run', async () => {
  const service = await startTestService();
  const { run } = await runScript(
    service,
    "console.log('\\0\\ud800'); throw new Error('a\\0b\\ud800')",
  );
  expect(run).toMatchObject({ error: 'ab\ufffd', log: [expect.any(String)] });
});

test('a body of any type of JSON is taken', async () => {
  const service = await startTestService();
  await addScript(service, EMIT);
  const types = ['cloudevents+json', 'vnd.a.b+json; charset=utf-8', 'a+b!c+json'];
  for (const type of types.map((each) => `application/${each}`)) {
    expect(await callTools(service, { a: 1 }, { 'content-type': type })).toEqual(OK);
  }
  expect(await emittedBy(service)).toHaveLength(types.length);
  const almost = { 'content-type': 'text/plain+jsonx' };
  expect((await callTools(service, {}, almost)).body.code).toBe('UNSUPPORTED_MEDIA_TYPE');
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

test('an action refuses input that does not fit, and the script can catch it', async () => {
  const service = await startTestService();
  await runScript(
    service,
    "try { await actions['users.find']({ email: 7 }) } catch (e) { result = { event: 'x.y', data: e.message } }",
  );
  expect(String((await emittedBy(service))[0]?.data)).toContain('users.find');
});

test('actions that are called at once may get more than a megabyte together', async () => {
  const service = await startTestService();
  const call = "actions['users.find']({ email: 'x'.repeat(60_000) }).catch(() => {})";
  const { run } = await runScript(
    service,
    `await Promise.all(Array(20).fill().map(() => ${call}))`,
  );
  expect([run?.error, run?.calls.length]).toEqual([null, 20]);
});

test('an action that the script does not wait for is recorded as it ends, until the time limit', async () => {
  const service = await startTestService();
  const send = "actions['mail.send']({ to: 'ada@example.com', subject: 'Hi', text: 'Hi.' });";
  const { run } = await runScript(service, `${send} result = 1`);
  expect(run).toMatchObject({ error: null, calls: [{ id: 'mail.send', ok: true }] });
  const { tools } = service.services.workers;
  const runFor = (timeoutMs: number, script: string) => {
    const actions = new Map([['wait', (ms: unknown) => sleep(Number(ms))]]);
    return tools.run('acme', { script, body: null, actions, timeoutMs });
  };
  const start = (ms: number) => `actions['wait'](${ms}).catch(() => {}); result = 1`;
  const outcome = { result: 1, error: null };
  const calls = [{ id: 'wait', ok: true }];
  expect(await runFor(5_000, start(500))).toMatchObject({ ...outcome, calls });
  const late = [{ id: 'wait', ok: false }];
  expect(await runFor(1_500, start(2_500))).toMatchObject({ ...outcome, calls: late });
  // It ends during this run, and leaves it alone.
  expect(await runFor(5_000, "await actions['wait'](1_500); result = 1")).toMatchObject(outcome);
});

test('what an action does is logged with the call that ran the script', async () => {
  const service = await startTestService();
  const { user } = await signInAs(service);
  await addScript(service, "await actions['users.disable'](body)", {}, [
    'users.find',
    'users.disable',
  ]);
  await callTools(service, { id: user.id }, { 'x-correlation-id': 'call-77' });
  const { items } = await service.services.auditLog.search({
    limit: 10,
    offset: 0,
    target: user.id,
  });
  const about = items.map(({ action, ip, correlationId }) => ({ action, ip, correlationId }));
  const call = { ip: '127.0.0.1', correlationId: 'call-77' };
  expect(about).toContainEqual({ action: 'users.disable', ...call });
  expect(about).toContainEqual({ action: 'identity.session.revoked', ...call });
});

test('attack: a script disables nobody who may do more than its writer', async () => {
  const service = await startTestService();
  const [ada, bob] = [await signInAtAdmin(service), await signInAtAdmin(service)];
  const user = await signInAs(service);
  const disable = "await actions['users.disable'](body)";
  await addScript(service, disable, {}, ['users.find', 'users.disable']);
  for (const { id } of [ada.user, user.user]) await callTools(service, { id });
  for (const { client } of [ada, bob]) expect((await client.get('/ping')).status).toBe(200);
  expect((await user.client.get('/me')).status).toBe(401);
});

const forged = ['users.disable', 'identity.webhook.test', 'identity.webhook.deactivated'];

test('attack: a script forges no event of the service', async () => {
  const service = await startTestService();
  const data = { webhookId: 'a4f7c2d0-5b3e-4c1a-9f68-2d7e0b91c345' };
  for (const event of [...forged, 'Users.Disable', 'Identity.user.deleted']) {
    await runScript(service, `result = ${JSON.stringify({ event, data })}`);
    expect(await emittedBy(service, event)).toEqual([]);
  }
});

test('attack: an inbound webhook made with the placeholder of a secret is refused, not left unsigned', async () => {
  const { client } = await startWithAdmin();
  const copied = { provider: 'crm', jsScript: '', secret: '***' };
  const { status, body } = await client.post('/webhooks', copied);
  expect([status, body.code, body.details[0]?.path]).toEqual([400, 'VALIDATION_FAILED', 'secret']);
  expect((await client.get('/webhooks')).body.total).toBe(0);
});

test('attack: an inbound webhook gets no secret with an empty key, whatever it is signed by', async () => {
  const { client } = await startWithAdmin();
  const secret = 'whsec_!!!';
  const fields = { provider: 'crm', jsScript: '', signature: 'standard-webhooks' };
  const created = await client.post('/webhooks', { ...fields, secret });
  const genuine = { ...fields, signature: 'service', secret: 'whsec_of_the_crm' };
  const { body } = await client.post('/webhooks', genuine);
  // The next change of the signature would make it the key.
  const changed = await client.patch(`/webhooks/${body.webhook.id}`, { secret });
  const details = [{ path: 'secret', message: 'After whsec_, give the key in base64.' }];
  for (const refused of [created, changed]) {
    expect([refused.status, refused.body.details]).toEqual([400, details]);
  }
});

test('what a script does is in the audit log, as done by its webhook, and its mail is in MAIL_LANGUAGE', async () => {
  const { service, client } = await startWithAdmin({ MAIL_LANGUAGE: 'de' });
  const { user } = await signInAs(service);
  await addScript(
    service,
    `await actions['mail.send']({ to: body.email, subject: 'Goodbye', text: 'So long.' });
     await actions['users.disable']({ id: body.id })`,
  );
  await callTools(service, { id: user.id, email: user.email });
  await service.idle();
  const { body } = await client.get('/audit?actor=webhook:acme');
  const acts = body.audit.map(({ action, target }: Record<string, unknown>) => [action, target]);
  expect(acts).toEqual(
    expect.arrayContaining([
      ['mail.send', null],
      ['users.disable', user.id],
      ['identity.session.revoked', user.id],
    ]),
  );
  expect((await service.mails())[0]?.html).toContain('<html lang="de">');
});

test.each([
  [
    'outgoing',
    { url: 'http://127.0.0.1:1/', events: ['*'] },
    { maxRetries: 99 },
    'Use at most 20.',
  ],
  ['inbound', { provider: 'crm', jsScript: '' }, { signature: 'rot13' }, 'Allowed here: '],
])(
  'an error in a field of an %s webhook is that of its kind',
  async (_kind, fields, change, said) => {
    const { client } = await startWithAdmin();
    const { id } = (await client.post('/webhooks', fields)).body.webhook;
    const [detail] = (await client.patch(`/webhooks/${id}`, change)).body.details;
    expect(detail).toEqual({
      path: Object.keys(change)[0],
      message: expect.stringContaining(said),
    });
  },
);

test('a webhook of a feature that was taken out is listed and deleted, and hides no other', async () => {
  const { service, client } = await startWithAdmin();
  // Neither a url nor a provider: no kind of webhook.
  const config = await createWebhook(service.services, { events: ['*'] });
  const { status, body } = await client.get('/webhooks');
  expect([status, body.total]).toEqual([200, 1]);
  expect(body.webhooks).toMatchObject([{ id: config?.id, isActive: true, secret: null }]);
  const path = `/webhooks/${config?.id}`;
  expect((await client.get(path)).body.webhook.id).toBe(config?.id);
  expect((await client.patch(path, { isActive: false })).body.code).toBe('WEBHOOK_NOT_FOUND');
  expect((await client.delete(path)).status).toBe(200);
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
  const { run } = await runScript(service, EMIT, elsewhere);
  expect(run?.log).toEqual([expect.stringMatching(/^\S+ was not emitted: it is not among/)]);
  expect(await service.events()).toHaveLength(before);
});

test('a body of any JSON reaches the script and its actions, and a result after an await counts', async () => {
  const service = await startTestService();
  const echo = "result = { event: 'x.y', data: await actions['echo.say'](body) }";
  for (const sent of [[1, 2], 'text', 7, null, { a: { b: 'ü\u0000' } }]) {
    expect(await runScript(service, echo, {}, JSON.stringify(sent))).toMatchObject(OK);
    expect((await emittedBy(service)).at(-1)?.data).toEqual(sent);
  }
});

test('an inbound webhook needs no url, and shows its script', async () => {
  const { client } = await startWithAdmin();
  const fields = { provider: 'acme', jsScript: SCRIPT, allowedActions: ['echo.say'] };
  const { status, body } = await client.post('/webhooks', fields);
  expect(status).toBe(201);
  const defaults = { events: ['*'], secret: null, signature: 'service' };
  expect(body.webhook).toMatchObject({ ...fields, ...defaults });
  const again = await client.post('/webhooks', fields);
  expect([again.status, again.body.code]).toEqual([409, 'WEBHOOK_EXISTS']);
  const path = `/webhooks/${body.webhook.id}`;
  expect((await client.patch(path, { maxRetries: 1 })).status).toBe(400);
  expect((await client.patch(path, { signature: 'none' })).status).toBe(400);
  const { body: patched } = await client.patch(path, { signature: 'github' });
  expect(patched.webhook).toMatchObject({ ...fields, signature: 'github' });
  const { body: refused } = await client.patch(path, { jsScript: "import('x')" });
  expect(refused.details).toEqual([
    { path: 'jsScript', message: expect.stringContaining('import') },
  ]);
});

test('a script that fails is logged and visible', async () => {
  const service = await startTestService();
  const { id } = await addScript(service, "console.log('so far', 1); throw new Error('no')");
  await callTools(service);
  expect(await lastRun(service, id)).toMatchObject({ error: 'no', log: ['so far 1'], event: null });
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

test('a call is refused while no key opens the secret that it must know', async () => {
  const service = await startTestService();
  const { id } = await addScript(service, EMIT, { secret: 'a-shared-secret' });
  const lost = service.services.db.updateTable('webhook_configs').where('id', '=', id);
  await lost.set({ sealed_secret: 'sealed with a key that is gone' }).execute();
  const { status, body } = await callTools(service, '{}', signatureOf('{}'));
  expect([status, body.code]).toEqual([401, 'INVALID_SIGNATURE']);
  expect(await lastRun(service, id)).toBeUndefined();
});
