import { setTimeout as sleep } from 'node:timers/promises';
import type { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import { now } from '../../process/clock.js';
import { type Log, logOutage } from '../../process/log.js';
import type { SharedWakeUps } from '../webhooks/wake-ups.js';

const SECOND_MS = 1_000;
/** How long the end waits for a worker that may not be connected yet. */
const LAST_WAIT_MS = 500;
/** Keeps no finished jobs: nothing reads them. */
const LEAVE_NOTHING = { removeOnComplete: true, removeOnFail: true };

/**
 * Wake-ups as jobs of a BullMQ queue, each taken by a free instance. The rows in the database decide what
 * is sent. While Redis fails, each instance polls for itself.
 */
export function queuedWakeUps(url: string, prefix: string, log: Log): SharedWakeUps {
  const outage = logOutage(
    log,
    'Redis fails: each instance looks for webhooks by itself for now',
    'instances share the wake-ups of webhooks through Redis again',
  );
  let lookHere: () => Promise<void> = async () => {};
  let redis: Redis | undefined;
  let queue: Queue | undefined;
  let leave: () => Promise<unknown> = async () => {};

  /** Starts taking jobs. BullMQ connects again by itself, but gives up a connection that was never ready. */
  async function join(connection: Redis): Promise<void> {
    const { Queue, Worker } = await import('bullmq');
    // A separate connection: it may wait for the next job for any time.
    const waiting = connection.duplicate({
      enableOfflineQueue: true,
      maxRetriesPerRequest: null,
      socketTimeout: undefined,
    });
    const joined: Queue = new Queue('webhooks', { connection, prefix });
    const worker = new Worker('webhooks', lookHere, { connection: waiting, prefix });
    // The other connection reports the outages.
    joined.on('error', () => {});
    worker.on('error', () => {});
    waiting.on('error', () => {});
    queue = joined;
    leave = () => {
      waiting.disconnect();
      // Forced, without waiting for Redis. An interrupted wake-up comes again.
      return Promise.all([worker.close(true), joined.close()]);
    };
  }

  return {
    async start(look) {
      lookHere = look;
      const { connectRedis } = await import('../redis/connection.js');
      const connection = connectRedis(url, outage);
      redis = connection;
      connection.once('ready', () => void join(connection).catch(outage.begin));
    },

    announce() {
      if (!queue || redis?.status !== 'ready') return false;
      // At most one job waits while another is under way. The id contains the second, so that the job of an
      // instance that died blocks the others no longer than that.
      const id = `now-${Math.floor(now() / SECOND_MS)}`;
      const deduplication = { id, keepLastIfActive: true };
      queue.add('look', {}, { ...LEAVE_NOTHING, deduplication }).catch((error) => {
        outage.begin(error);
        void lookHere();
      });
      return true;
    },

    async stop() {
      redis?.disconnect();
      await Promise.race([leave(), sleep(LAST_WAIT_MS, undefined, { ref: false })]);
    },
  };
}
