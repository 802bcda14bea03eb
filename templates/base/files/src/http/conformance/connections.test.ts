import { once } from 'node:events';
import { expect, test } from 'vitest';
import { exactly, refused, unreadable } from '../../../test/exact-answer.js';
import { startProcess } from '../../../test/process.js';
import { startTestService } from '../../../test/service.js';
import {
  answersIn,
  openConnection,
  receiveAll,
  requestText,
  sendBytes,
} from '../../../test/wire.js';

const BEARER = 'X-Auth-Strategy: bearer';
const KEPT = ['connection: keep-alive', 'keep-alive: timeout=65'];

/** An answer after which the connection goes on. */
function kept(answer: ReturnType<typeof refused>) {
  const lines = answer.lines.filter((line) => line !== 'connection: close');
  return { ...answer, lines: [...lines, ...KEPT].sort() };
}

test('a connection goes on after any refusal that has read its request', async () => {
  const service = await startTestService();
  const json = [BEARER, 'Content-Type: application/json', 'Content-Length: 1'];
  const answers = await sendBytes(
    service,
    requestText('POST /auth/refresh', json, '{'),
    requestText('POST /auth/nothing', json, '{'),
    requestText('PUT /auth/me', json, '{'),
    requestText('GET /auth/me', [BEARER, 'Content-Length: 3'], '{}}'),
    requestText('GET /auth/nothing', [BEARER, 'Connection: close']),
  );
  expect(answers.map(({ status }) => status)).toEqual([400, 404, 405, 401, 404]);
  expect(answers.slice(1, 4).map(exactly)).toEqual([
    kept(refused('NOT_FOUND')),
    kept(refused('METHOD_NOT_ALLOWED', 'allow: GET, HEAD, OPTIONS')),
    kept(refused('INVALID_TOKEN')),
  ]);
});

test('requests sent in one go are answered in their order', async () => {
  const service = await startTestService();
  const paths = ['/readyz', '/auth/nothing', '/healthz', '/auth/me', '/readyz', '/nothing'];
  const requests = paths.map((path, index) =>
    requestText(`GET ${path}`, [BEARER, ...(index === 5 ? ['Connection: close'] : [])]),
  );
  const answers = await sendBytes(service, requests.join(''));
  expect(answers.map(({ status }) => status)).toEqual([200, 404, 200, 401, 200, 404]);
});

test('HTTP/1.0 keeps a connection only if it asks for it', async () => {
  const service = await startTestService();
  const [once, ...none] = await sendBytes(service, 'GET /healthz HTTP/1.0\r\n\r\n');
  expect([once?.headers.get('connection'), none]).toEqual(['close', []]);
  const keep = 'GET /healthz HTTP/1.0\r\nConnection: keep-alive\r\n\r\n';
  const answers = await sendBytes(service, keep, 'GET /healthz HTTP/1.0\r\n\r\n');
  expect(answers.map(({ headers }) => headers.get('connection'))).toEqual(['keep-alive', 'close']);
});

test('a client that sends byte after byte is answered like any other', async () => {
  const service = await startTestService();
  const socket = (await openConnection(service)).setNoDelay();
  const received = receiveAll(socket);
  const head = [BEARER, 'Content-Type: application/json', 'Content-Length: 1', 'Connection: close'];
  for (const byte of requestText('PATCH /auth/profile', head, '{')) {
    socket.write(byte);
    await new Promise(setImmediate);
  }
  expect(answersIn(await received).map(exactly)).toEqual([refused('INVALID_JSON')]);
});

test.each([
  ['headers that never end', 'GET /auth/me HTTP/1.1\r\nHost: auth.test\r\nX-More: '],
  ['a body that never comes', requestText('POST /auth/refresh', ['Content-Length: 5'], '{')],
])(
  '%s: the request is refused after REQUEST_TIMEOUT, and the connection closed',
  async (_name, text) => {
    const service = await startTestService({ REQUEST_TIMEOUT: '1s' });
    const [answer] = await sendBytes(service, text);
    expect(answer && exactly(answer)).toEqual(unreadable('REQUEST_TIMEOUT'));
  },
);

test('SIGTERM: what is in flight is answered as the last on its connection, what is idle is closed', async () => {
  const service = await startProcess();
  const url = await service.ready();
  const [idle, busy] = [await openConnection({ url }), await openConnection({ url })];
  const [ofIdle, ofBusy] = [receiveAll(idle), receiveAll(busy)];
  // Browsers open connections before they need them.
  const silent = await openConnection({ url });
  silent.on('error', () => {});
  idle.write(requestText('GET /healthz'));
  await once(idle, 'data');
  busy.write(
    requestText('POST /auth/refresh', [
      BEARER,
      'Content-Type: application/json',
      'Content-Length: 1',
    ]),
  );
  // Whoever is answered now has come after the request above.
  expect((await fetch(`${url}/healthz`, { headers: { connection: 'close' } })).status).toBe(200);

  const from = performance.now();
  service.child.kill('SIGTERM');
  if (!silent.closed) await once(silent.resume(), 'close');
  expect(answersIn(await ofIdle)).toHaveLength(1);
  busy.write('{');
  const answers = answersIn(await ofBusy);
  expect(answers.map(({ status }) => status)).toEqual([400]);
  expect(answers[0]?.headers.get('connection')).toBe('close');
  expect(await service.ended).toBe(0);
  expect(performance.now() - from).toBeLessThan(3_000);
});
