import type { Queue, Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import { now } from '../../clock.js';
import type { Log } from '../../log.js';
import { logOutage } from '../redis/outage.js';
import { polling } from './polling.js';
import type { WakeUps } from './wake-ups.js';

/** While the queue works, only every so many looks of the clock's are taken: 2 s instead of half a second. */
const CLOCK_SHARE = 4;
const SECOND_MS = 1_000;
/** A wake-up is worth nothing once it is over: the next look finds what it was about. */
const LEAVE_NOTHING = { removeOnComplete: true, removeOnFail: true };

/** The queue of one connection, which lives as long as the connection does. */
interface Membership {
  queue: Queue;
  leave(): Promise<void>;
}

/**
 * Wake-ups as jobs of a BullMQ queue: whichever instance is free takes one and looks. The rows in the
 * database stay the truth. While Redis fails each instance looks by its own clock.
 */
export function queuedWakeUps(url: string, prefix: string, log: Log): WakeUps {
  const outage = logOutage(
    log,
    'Redis fails: each instance looks for webhooks by its own clock for now',
    'instances share the wake-ups of webhooks through Redis again',
  );
  let ticks = 0;
  let redis: Redis | undefined;
  let member: Membership | undefined;
  let changing: Promise<void> = Promise.resolve();
  const clock = polling(() => member === undefined || ticks++ % CLOCK_SHARE === 0);

  /** One after the other, so that a connection which comes and goes leaves nothing behind. */
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
        // One job waits however many ask; if one is under way already, one more comes after it. The second in
        // the name lets an instance that died with a job keep the others quiet for no longer than that.
        .add('look', {}, { ...LEAVE_NOTHING, deduplication: { id, keepLastIfActive: true } })
        .catch((error) => {
          outage.begin(error);
          clock.now();
        });
    },

    at(time) {
      // To the moment here; the job is for the others, should this instance be gone by then.
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
  // Its connection may wait for the next job as long as it takes, and is given up with the other one.
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
  // Closed before it was ready, a worker would leave timers behind that nobody ends.
  const closed = new Promise((resolve) => connection.once('close', resolve));
  await Promise.race([worker.waitUntilReady(), closed]);
  if (connection.status === 'ready') worker.run().catch(onError);
  return {
    queue,
    async leave() {
      // By force: nothing that Redis should be told may hold this up. A wake-up that is cut off comes again.
      await Promise.all([worker.close(true), queue.close()]);
      waiting.disconnect();
    },
  };
}
