import { pino } from 'pino';
import { expect, test } from 'vitest';
import { browser, nativeClient } from '../../test/client.js';
import { startTestService } from '../../test/service.js';
import { signInAs } from '../../test/sign-in-as.js';
import { requestText, sendBytes } from '../../test/wire.js';

test('a failure is one sentence and one code, and nothing besides', async () => {
  const client = nativeClient(await startTestService());
  const answers = [
    await client.get('/me'),
    await client.get('/nothing'),
    await client.post('/me'),
    await client.patch('/profile', '{'),
  ];
  for (const { status, headers, body } of answers) {
    expect(status).toBeGreaterThanOrEqual(400);
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(body).toEqual({
      error: expect.stringMatching(/^[A-Z].+\.$/),
      code: expect.stringMatching(/^[A-Z\d]+(_[A-Z\d]+)*$/),
    });
  }
});

test('a defect is answered with 500 INTERNAL and told to the log alone', async () => {
  const lines: string[] = [];
  const log = pino({}, { write: (line) => lines.push(line) });
  const service = await startTestService({}, { log });
  const { client } = await signInAs(service);
  await service.services.db.schema.dropTable('sessions').execute();
  const { status, headers, body } = await client.get('/me');
  expect(status).toBe(500);
  expect(body).toEqual({ error: 'Something went wrong on our side.', code: 'INTERNAL' });

  const entry = lines.map((line) => JSON.parse(line)).find(({ msg }) => msg === 'request failed');
  expect(entry.requestId).toBe(headers.get('x-request-id'));
  expect(entry.err.stack).toContain('sessions');
});

test('no answer lets anything of the inside out', async () => {
  const service = await startTestService();
  const { client } = await signInAs(service);
  await service.services.db.schema.dropTable('sessions').execute();
  const answers = [
    await client.get('/me'),
    await client.get('/sessions'),
    await client.delete("/sessions/'"),
    await client.patch('/profile', '{"name":'),
    await client.delete('/sessions/%zz'),
  ];
  for (const { body, headers } of answers) {
    const whole = JSON.stringify([body, ...headers]);
    expect(whole).not.toMatch(/select |delete from|table|relation|node_modules|\bat \w+ \(/i);
    expect(headers.has('x-powered-by')).toBe(false);
  }
});

test('no cache may keep an answer, and no browser may guess its type', async () => {
  const service = await startTestService();
  const { client, refreshToken } = await signInAs(service);
  const answers = [
    await client.post('/refresh', { refreshToken }),
    await client.get('/me'),
    await client.get('/nothing'),
    await client.get('/openapi.json'),
    await browser(service).get('/me'),
  ];
  for (const { headers } of answers) {
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  }
});

test('text outside ASCII arrives as it was sent', async () => {
  const { client } = await signInAs(await startTestService());
  const name = 'Zoë 李 👩‍🚀 \u202e';
  await client.patch('/profile', { name });
  const { body, headers } = await client.get('/me');
  expect(body.metadata.name).toBe(name.trim());
  expect(Number(headers.get('content-length'))).toBe(Buffer.byteLength(JSON.stringify(body)));
});

test('a connection goes on after a refusal', async () => {
  const service = await startTestService();
  const json = ['Content-Type: application/json', 'Content-Length: 1'];
  const answers = await sendBytes(
    service,
    requestText('PATCH /auth/profile', json, '{'),
    requestText('POST /auth/nothing', json, '{'),
    requestText('PUT /auth/me', json, '{'),
    requestText('GET /auth/me', ['Content-Length: 3'], '{}}'),
    requestText('HEAD /auth/profile', ['Connection: close']),
  );
  expect(answers.map(({ status }) => status)).toEqual([400, 404, 405, 401, 405]);
});
