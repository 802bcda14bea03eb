import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import bcrypt from 'bcrypt';
import { expect, onTestFinished, test } from 'vitest';
import { startTestService, type TestService } from './service.js';

const MEGABYTE = 1024 * 1024;
const AT_ONCE = 250;
const COUNT = 1_000;
/** Megabytes. Less than a flood would leave if the two hundred characters of each request were kept. */
const MOST = 0.15;
const FLOODS = 3;

setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');

/** Megabytes. */
function used(): number {
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / MEGABYTE;
}

/** Enough that anything kept for each is visible. */
const LONG = 'x'.repeat(900);
const DOMAIN = `${`${'x'.repeat(60)}.`.repeat(3)}example`;

/** What each request makes up, and the status of its response. */
interface Flood {
  target: (one: number) => string;
  body?: (one: number) => object;
  status: number;
}

const floods: Record<string, Flood> = {
  'addresses at /login': {
    target: () => 'POST /auth/login',
    body: (one) => ({
      email: `n${one}@${DOMAIN}`,
      password: `p${one}`,
      emailLang: `x-${one}`,
    }),
    status: 401,
  },
  'addresses at /forgot-password': {
    target: () => 'POST /auth/forgot-password',
    body: (one) => ({ email: `n${one}@${DOMAIN}`, emailLang: `x-${one}` }),
    status: 200,
  },
  'providers at /oauth/{provider}': {
    target: (one) => `GET /auth/oauth/p${one}-${LONG}`,
    status: 404,
  },
  'languages and paths to return to at the page to sign in': {
    target: (one) => `GET /auth/ui/login?return_to=/${one}&lang=x-${one}${LONG}`,
    status: 200,
  },
};

/** Sends one batch after another on one connection, and returns the statuses that were not expected. */
async function send(service: TestService, { target, body, status }: Flood, from: number) {
  const { hostname, port } = new URL(service.url);
  const socket = connect(Number(port), hostname).setEncoding('latin1');
  const others: string[] = [];
  for (let nth = from; nth < from + COUNT; nth += AT_ONCE) {
    const batch = Array.from({ length: AT_ONCE }, (_, at) => {
      const one = nth + at;
      const json = body ? JSON.stringify(body(one)) : '';
      return [
        `${target(one)} HTTP/1.1`,
        `host: auth.test`,
        `accept: text/html`,
        `accept-language: x-${one}${LONG},y-${one};q=0.5`,
        `user-agent: agent ${one} ${'x'.repeat(200)}`,
        // From a thousand networks: the counts kept for each for a minute are not tested here.
        `x-forwarded-for: 2001:db8:${one % 1000}::1`,
        ...(body ? ['content-type: application/json'] : []),
        `content-length: ${json.length}`,
        '',
        json,
      ].join('\r\n');
    });
    socket.write(batch.join(''));
    let seen = '';
    while (seen.split('HTTP/1.1 ').length <= AT_ONCE) seen += await once(socket, 'data');
    others.push(
      ...(seen.match(/HTTP\/1\.1 \d+/g) ?? []).filter((line) => !line.endsWith(`${status}`)),
    );
  }
  socket.destroy();
  // The test itself keeps the mails and events.
  (await service.mails()).length = 0;
  (await service.events()).length = 0;
  return others;
}

test.each(Object.entries(floods))(
  `F-31 a flood of ${COUNT} distinct %s leaves nothing in memory, in one of ${FLOODS} attempts`,
  async (_name, flood) => {
    // Limits bound the hashing; this test is about memory.
    const { compare } = bcrypt;
    Object.assign(bcrypt, { compare: async () => false });
    onTestFinished(() => void Object.assign(bcrypt, { compare }));
    const service = await startTestService({ RATE_LIMIT: 'on', TRUST_PROXY: '1', APP_URL: '' });

    async function usedAfter(from: number): Promise<number> {
      expect(await send(service, flood, from)).toEqual([]);
      await wait(100);
      return used();
    }

    await usedAfter(0);
    let before = await usedAfter(COUNT);
    let least = Number.POSITIVE_INFINITY;
    // Other work on the machine adds to some of them, but not to all.
    for (let nth = 2; nth < FLOODS + 2 && least >= MOST; nth++) {
      const after = await usedAfter(nth * COUNT);
      least = Math.min(least, after - before);
      before = after;
    }
    expect(least).toBeLessThan(MOST);
  },
  180_000,
);

test('F-31 sixty scripts of one process leave none of their bodies and results in memory', async () => {
  const { services } = await startTestService();
  async function run(count: number): Promise<void> {
    for (let nth = 0; nth < count; nth++) {
      const job = { script: 'result = body', body: `${nth}`.padEnd(99_000), timeoutMs: 5_000 };
      const { result } = await services.workers.tools.run('acme', { ...job, actions: new Map() });
      expect(result).toBe(job.body);
    }
  }
  await run(5);
  const before = used();
  await run(60);
  // A quarter of what they would leave.
  expect(used() - before).toBeLessThan(3);
});
