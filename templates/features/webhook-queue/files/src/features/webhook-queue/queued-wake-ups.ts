import type { Queue, Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import { now } from '../../process/clock.js';
import { type Log, logOutage } from '../../process/log.js';
import { polling, type WakeUps } from '../webhooks/wake-ups.js';

/** While the queue works, only every fourth poll runs: every 2 s instead of every half second. */
const POLL_SHARE = 4;
const SECOND_MS = 1_000;
/** Finished jobs are of no use. */
const LEAVE_NOTHING = { removeOnComplete: true, removeOnFail: true };

/** The queue and the worker on one connection. */
interface Membership {
  queue: Queue;
  leave(): Promise<void>;
}

/**
 * Wake-ups as jobs of a BullMQ queue, which a free instance takes. What is sent is decided by the rows in
 * the database. While Redis fails, each instance polls.
 */
export function queuedWakeUps(url: string, prefix: string, log: Log): WakeUps {
  const outage = logOutage(
    log,
    'Redis fails: each instance polls for webhooks by itself for now',
    'instances share the wake-ups of webhooks through Redis again',
  );
  let ticks = 0;
  let redis: Redis | undefined;
  let member: Membership | undefined;
  let changing: Promise<void> = Promise.resolve();
  const clock = polling(() => member === undefined || ticks++ % POLL_SHARE === 0);

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
      await clock.start(look);
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

    now() {
      if (!member) return clock.now();
      const id = `now-${secondOf(now())}`;
      member.queue
        // At most one job waits while another is under way. The id contains the second, so that the job of an
        // instance that died blocks the others no longer than that.
        .add('look', {}, { ...LEAVE_NOTHING, deduplication: { id, keepLastIfActive: true } })
        .catch((error) => {
          outage.begin(error);
          clock.now();
        });
    },

    at(time) {
      // This instance keeps the exact time. The job is for the others, in case this one has died by then.
      clock.at(time);
      const second = secondOf(time) + 1;
      const delay = Math.max(0, second * SECOND_MS - now());
      member?.queue
        .add('look', {}, { ...LEAVE_NOTHING, jobId: `at-${second}`, delay })
        .catch(outage.begin);
    },

    async stop() {
      await clock.stop();
      change(leave);
      await changing;
      redis?.disconnect();
    },
  };
}

function secondOf(time: number): number {
  return Math.floor(time / SECOND_MS);
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
  // A worker that is closed before it is ready leaks timers.
  const closed = new Promise((resolve) => connection.once('close', resolve));
  await Promise.race([worker.waitUntilReady(), closed]);
  if (connection.status === 'ready') worker.run().catch(onError);
  return {
    queue,
    async leave() {
      // By force, without waiting for Redis. An interrupted wake-up comes again.
      await Promise.all([worker.close(true), queue.close()]);
      waiting.disconnect();
    },
  };
}
