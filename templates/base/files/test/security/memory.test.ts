import { once } from 'node:events';
import { connect } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, onTestFinished, test } from 'vitest';
import { startSignedIn } from '../sign-in-as.js';

const MEGABYTE = 1024 * 1024;
const AT_ONCE = 500;
const MINUTES = 60_000;

test(
  'F-31 CVE-2026-79651 -4634 -7307 class refused: 6,000 requests with distinct values leave 2 MB at most, and slow none down',
  async () => {
    setFlagsFromString('--expose-gc');
    const collect: () => void = runInNewContext('gc');
    const { service, accessToken } = await startSignedIn(
      {},
      { RATE_LIMIT: 'on', TRUST_PROXY: '1' },
    );
    const [, payload, signature] = accessToken.split('.');
    const { hostname, port } = new URL(service.url);
    // Pipelined on one connection: an ordinary client would use many times the CPU time of the service.
    const socket = connect(Number(port), hostname).setEncoding('latin1');
    onTestFinished(() => void socket.destroy());

    const requestOf = (one: number) => {
      const header = Buffer.from(`{"alg":"HS256","kid":"${one}"}`).toString('base64url');
      return [
        `GET ${service.prefix}/sessions?scope=${one} HTTP/1.1`,
        `host: host-${one}.test`,
        `authorization: Bearer ${header}.${payload}.${signature}`,
        `user-agent: agent ${one} ${'x'.repeat(400)}`,
        `accept-language: x-${one}`,
        `x-forwarded-for: 2001:db8:${(one >> 8).toString(16)}:${(one & 255).toString(16)}::1`,
        `x-correlation-id: id-${one}`,
        `cookie: locale=${one}`,
        '\r\n',
      ].join('\r\n');
    };

    /** Sends `count` requests; returns the megabytes in use afterwards and the CPU time in ms. */
    async function flood(from: number, count: number) {
      const before = process.cpuUsage();
      for (let nth = from; nth < from + count; nth += AT_ONCE) {
        socket.write(Array.from({ length: AT_ONCE }, (_, at) => requestOf(nth + at)).join(''));
        let seen = '';
        while (seen.split('HTTP/1.1 401 ').length <= AT_ONCE) seen += await once(socket, 'data');
      }
      const { user, system } = process.cpuUsage(before);
      collect();
      const { heapUsed, external } = process.memoryUsage();
      return { used: (heapUsed + external) / MEGABYTE, time: (user + system) / 1000 };
    }

    const { used } = await flood(0, 1_000);
    const first = await flood(1_000, 3_000);
    const second = await flood(4_000, 3_000);
    expect(second.used - used).toBeLessThan(2);
    // Once more: what grows is still slower then, but other work on the machine has ended.
    const { time } = second.time < 2 * first.time ? second : await flood(7_000, 3_000);
    expect(time / first.time).toBeLessThan(2);
  },
  3 * MINUTES,
);
