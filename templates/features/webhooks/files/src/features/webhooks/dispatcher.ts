import { setImmediate as gather, setTimeout as sleep } from 'node:timers/promises';
import type { Worker } from '../../feature.js';
import { now } from '../../process/clock.js';
import { logOutage } from '../../process/log.js';
import type { Services } from '../../services.js';
import { attempt, recordAttempts } from './attempt.js';
import type { ClaimedDelivery } from './claim.js';
import type { AttemptResult } from './queue.js';
import { createSender } from './sender.js';
import { createShares } from './shares.js';
import { createWakeUps } from './wake-ups.js';

/** How long requests under way may take at shutdown; another instance repeats those that are aborted. */
const LAST_REQUESTS_MS = 3_000;

/**
 * Sends the deliveries of the outbox until it is stopped. It claims only what it sends at once, so that
 * a crash leaves few claims behind and a changed endpoint never gets requests by its old configuration.
 */
export function createDispatcher(services: Services): Worker & { wake(): void } {
  const { queue } = services.webhooks;
  const sender = createSender(services.config.WEBHOOK_ALLOW_PRIVATE);
  const shares = createShares();
  const outage = logOutage(services.log, 'webhooks wait for the database', 'webhooks are sent');
  const sending = new Set<Promise<void>>();
  let isRunning = false;
  /** Sent, and not recorded yet. */
  let ended: AttemptResult[] = [];
  /** Results that could not be recorded are retried before anything else is claimed. */
  let isBehind = false;

  const look = oneAtATime(async () => {
    if (isBehind) await record();
    if (isBehind || !isRunning) return;
    try {
      const due = await queue.findDue();
      const claimed = await queue.claim(due, shares.grant(due, ended.length));
      claimed.forEach(start);
      outage.end();
    } catch (error) {
      outage.begin(error);
    }
  });

  /** Never waits for `look`. */
  const record = oneAtATime(async () => {
    try {
      const results = [...ended];
      if (results.length > 0) await recordAttempts(services, results);
      ended.splice(0, results.length);
      for (const { next } of results) if ('at' in next) wakeUps.at(next.at);
      isBehind = false;
      // Otherwise the next request to end calls `look`.
      if (sending.size === 0) void look();
    } catch (error) {
      // After the lease another instance may have claimed them.
      ended = ended.filter(({ delivery }) => delivery.leasedUntil > now());
      isBehind = true;
      outage.begin(error);
    }
  });

  const wakeUps = createWakeUps(services, look);

  function start(delivery: ClaimedDelivery): void {
    const sent = send(delivery).finally(() => sending.delete(sent));
    sending.add(sent);
  }

  async function send(delivery: ClaimedDelivery): Promise<void> {
    const end = shares.start(delivery.webhookId, look);
    const result = await attempt(services, sender, delivery);
    end();
    if (!isRunning && result.attempt.status === null) {
      result.attempt.error = 'The service was stopped.';
      // Due now: the next instance sends it again at once.
      result.next = { state: 'retrying', at: now(), isHeld: true };
    }
    ended.push(result);
    void record();
    // Its slot is now free for a due delivery that had none.
    void look();
  }

  return {
    /** Call it when a delivery may be due. */
    wake() {
      if (isRunning) wakeUps.now();
    },

    async start() {
      isRunning = true;
      await wakeUps.start();
    },

    async stop() {
      if (!isRunning) return;
      isRunning = false;
      await wakeUps.stop();
      await look();
      const late = sleep(LAST_REQUESTS_MS, undefined, { ref: false });
      await Promise.race([Promise.all(sending), late]);
      sender.close();
      await Promise.all(sending);
      // Last, because the database is closed next.
      await record();
    },
  };
}

/**
 * Runs `work`, which never throws, one at a time. Calls during a run lead to one more run after it, which
 * waits for `setImmediate`, so that requests that end at once are handled together.
 */
export function oneAtATime(work: () => Promise<void>): () => Promise<void> {
  let last: Promise<unknown> = Promise.resolve();
  let waiting: Promise<void> | undefined;
  return () => {
    waiting ??= last
      .then(() => gather())
      .then(() => {
        waiting = undefined;
        return work();
      });
    last = waiting;
    return waiting;
  };
}
