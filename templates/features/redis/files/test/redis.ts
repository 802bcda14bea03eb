import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { onTestFinished } from 'vitest';
import { randomId } from '../src/process/random.js';

/** Without TEST_REDIS_URL: one on the standard port, as `compose.yaml` and most systems start it. */
const STANDARD_URL = 'redis://127.0.0.1:6379';

let found: Promise<string | undefined> | undefined;

/** True if there is a Redis for tests. Throws in CI if there is none: tests that need it must not be skipped there. */
export async function hasRedis(): Promise<boolean> {
  return (await findRedis()) !== undefined;
}

/** Variables for a service on the tests' Redis, with its own key prefix; its keys are deleted after the test. */
export async function redisEnvironment(): Promise<{ REDIS_URL: string; REDIS_PREFIX: string }> {
  const url = (await findRedis()) ?? STANDARD_URL;
  const prefix = `auth-test-${randomId()}`;
  onTestFinished(() => deleteKeys(url, prefix));
  return { REDIS_URL: url, REDIS_PREFIX: prefix };
}

/** A proxy in front of a Redis, which can be blocked. */
export interface Way {
  url: string;
  /** How many connections were opened so far. */
  opened(): number;
  /** Cuts all connections and refuses new ones, like a server that has stopped. */
  cut(): Promise<void>;
  /** Accepts connections and passes nothing on, like a server that hangs. */
  stall(): void;
  /** Works again; stalled connections are cut. */
  open(): Promise<void>;
}

/** Starts a proxy to the tests' Redis on a free loopback port. Connections after the first `most` stall. */
export async function wayToRedis(target: string, most = Infinity): Promise<Way> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let isStalled = false;
  let opened = 0;
  const server = createServer((near) => {
    opened += 1;
    const isDeaf = opened > most;
    const far = connect(Number(port), hostname);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => {
        sockets.delete(socket);
        near.destroy();
        far.destroy();
      });
    }
    near.on('data', (bytes) => isStalled || isDeaf || far.write(bytes));
    far.on('data', (bytes) => isStalled || near.write(bytes));
  });

  async function listen(onPort: number): Promise<number> {
    const listening = once(server.listen(onPort, '127.0.0.1'), 'listening').catch(() => undefined);
    // Another test may have been given the port meanwhile, until it ends.
    if (!(await listening)) return sleep(100).then(() => listen(onPort));
    return (server.address() as AddressInfo).port;
  }

  function disconnect(): void {
    for (const socket of sockets) socket.destroy();
  }

  async function close(): Promise<void> {
    const closed = server.listening ? once(server, 'close') : undefined;
    server.close();
    disconnect();
    await closed;
  }

  const ownPort = await listen(0);
  onTestFinished(close);
  return {
    url: `redis://127.0.0.1:${ownPort}`,
    opened: () => opened,
    cut: close,
    stall() {
      isStalled = true;
    },
    async open() {
      isStalled = false;
      disconnect();
      if (!server.listening) await listen(ownPort);
    },
  };
}

/** Names of the keys that begin with `prefix`. */
export function keysOf(url: string, prefix: string): Promise<string[]> {
  return at(url, (redis) => redis.keys(`${prefix}:*`));
}

async function deleteKeys(url: string, prefix: string): Promise<void> {
  const keys = await keysOf(url, prefix);
  if (keys.length > 0) await at(url, (redis) => redis.unlink(keys));
}

function findRedis(): Promise<string | undefined> {
  found ??= lookForRedis();
  return found;
}

async function lookForRedis(): Promise<string | undefined> {
  const url = process.env.TEST_REDIS_URL || STANDARD_URL;
  try {
    await at(url, (redis) => redis.ping());
    return url;
  } catch (error) {
    if (process.env.CI || process.env.TEST_REDIS_URL) throw error;
    return undefined;
  }
}

async function at<T>(url: string, work: (redis: Redis) => Promise<T>): Promise<T> {
  const redis = new Redis(url, { lazyConnect: true, retryStrategy: () => null });
  redis.on('error', () => undefined);
  try {
    await redis.connect();
    return await work(redis);
  } finally {
    redis.disconnect();
  }
}
