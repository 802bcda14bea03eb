import { setTimeout as sleep } from 'node:timers/promises';
import type { Queue, Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import { defineFeature } from '../../feature.js';
import { now } from '../../process/clock.js';
import { type Log, logOutage } from '../../process/log.js';
import type { Services } from '../../services.js';
import type { SharedWakeUps } from '../webhooks/wake-ups.js';

const SECOND_MS = 1_000;
/** How long a worker may take to become ready. */
const READY_MS = 500;
/** Keeps no finished jobs: nothing reads them. */
const LEAVE_NOTHING = { removeOnComplete: true, removeOnFail: true };

/** The queue and the worker on one connection. */
interface Membership {
  queue: Queue;
  leave(): Promise<void>;
}

/** With REDIS_URL all instances share their wake-ups through Redis. */
export const webhookQueue = defineFeature({
  sharedWakeUps({ config, log }: Services): SharedWakeUps | undefined {
    const { REDIS_URL: url, REDIS_PREFIX: prefix } = config;
    return url === undefined ? undefined : queuedWakeUps(url, prefix, log);
  },
});

/**
 * Wake-ups as jobs of a BullMQ queue, each taken by a free instance. The rows in the database decide what
 * is sent. While Redis fails, each instance polls for itself.
 */
export function queuedWakeUps(url: string, prefix: string, log: Log): SharedWakeUps {
  const outage = logOutage(
    log,
    'Redis fails: each instance polls for due webhooks by itself',
    'instances share the wake-ups of webhooks through Redis again',
  );
  let lookHere: () => Promise<void> = async () => {};
  let redis: Redis | undefined;
  let member: Membership | undefined;
  let changing: Promise<void> = Promise.resolve();

  /** Runs one change after the other, so that an unstable connection leaves no worker behind. */
  function change(work: () => Promise<void>): void {
    changing = changing.then(work).catch(outage.begin);
  }

  async function leave(): Promise<void> {
    const former = member;
    member = undefined;
    await former?.leave();
  }

  return {
    async start(look) {
      lookHere = look;
      const { connectRedis } = await import('../redis/connection.js');
      const connection = connectRedis(url, outage);
      redis = connection;
      connection.on('ready', () =>
        change(async () => {
          await leave();
          if (connection.status === 'ready')
            member = await join(connection, prefix, look, outage.begin);
        }),
      );
      connection.on('close', () => change(leave));
    },

    announce() {
      if (!member) return false;
      // At most one job waits while another is under way. The id contains the second, so that the job of an
      // instance that died blocks the others no longer than that.
      const id = `now-${Math.floor(now() / SECOND_MS)}`;
      const deduplication = { id, keepLastIfActive: true };
      member.queue.add('look', {}, { ...LEAVE_NOTHING, deduplication }).catch((error) => {
        outage.begin(error);
        void lookHere();
      });
      return true;
    },

    async stop() {
      change(leave);
      await changing;
      redis?.disconnect();
    },
  };
}

async function join(
  connection: Redis,
  prefix: string,
  look: () => Promise<void>,
  onError: (error: unknown) => void,
): Promise<Membership> {
  const { Queue, Worker } = await import('bullmq');
  const queue: Queue = new Queue('webhooks', { connection, prefix });
  // A separate connection: it may wait for the next job for any time.
  const waiting = connection.duplicate({
    enableOfflineQueue: true,
    maxRetriesPerRequest: null,
    socketTimeout: undefined,
  });
  const worker: Worker = new Worker('webhooks', look, {
    connection: waiting,
    prefix,
    autorun: false,
  });
  queue.on('error', onError);
  worker.on('error', onError);
  waiting.on('error', onError);
  // A worker that is closed before it is ready leaks timers; but a Redis that hangs now would hold up the end.
  const isReady = await Promise.race([
    worker.waitUntilReady().then(() => true),
    new Promise<false>((resolve) => connection.once('close', () => resolve(false))),
    sleep(READY_MS, false, { ref: false }),
  ]);
  if (isReady) worker.run().catch(onError);
  // As after an unanswered command: once reconnected, it joins again.
  else connection.disconnect(true);
  return {
    queue,
    async leave() {
      // Forced, without waiting for Redis. An interrupted wake-up comes again.
      await Promise.all([worker.close(true), queue.close()]);
      waiting.disconnect();
    },
  };
}
