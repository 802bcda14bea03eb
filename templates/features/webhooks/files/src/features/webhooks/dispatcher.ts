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

const KEPT_MS = 30 * 24 * 60 * 60_000;
const PURGE_EVERY_MS = 60 * 60_000;
/** How long requests under way may take at shutdown; what is aborted is sent again by another instance. */
const LAST_REQUESTS_MS = 3_000;

export interface Dispatcher extends Worker {
  /** Call it when a delivery may be due. */
  wake(): void;
}

/**
 * Sends the deliveries of the outbox until it is stopped. It claims only what it sends at once, so that a crash
 * leaves few claims behind and a changed endpoint is never sent to by its former configuration.
 */
export function createDispatcher(services: Services): Dispatcher {
  const { queue, log } = services.webhooks;
  const sender = createSender(services.config.WEBHOOK_ALLOW_PRIVATE);
  const shares = createShares();
  const outage = logOutage(services.log, 'webhooks wait for the database', 'webhooks are sent');
  const sending = new Set<Promise<void>>();
  let state: 'idle' | 'running' | 'stopping' = 'idle';
  let purging: NodeJS.Timeout | undefined;
  let lastLook = Number.POSITIVE_INFINITY;
  /** The last look may have left something due, for want of places. */
  let isMoreDue = false;
  let ended: AttemptResult[] = [];
  let recording: AttemptResult[] = [];
  let unsent: ClaimedDelivery[] = [];
  /** What could not be recorded is tried again before anything else is claimed. */
  let isBehind = false;

  const look = oneAtATime(async () => {
    if (isBehind) await record();
    if (isBehind || state !== 'running') return;
    try {
      // At the first look as well: the clock may have been set back between two starts.
      if (now() < lastLook) await queue.reschedule();
      lastLook = now();
      const due = await queue.findDue();
      if (state !== 'running') return;
      const granted = shares.grant(due, ended.length + recording.length);
      const claimed = await queue.claim(due, granted);
      if (state === 'running') claimed.forEach(start);
      else unsent.push(...claimed);
      isMoreDue = due.some(({ webhookId }) => {
        const own = claimed.filter((delivery) => delivery.webhookId === webhookId);
        return own.length >= (granted.get(webhookId) ?? 0);
      });
      outage.end();
    } catch (error) {
      outage.begin(error);
    }
  });

  /** Never waits for a look. */
  const record = oneAtATime(async () => {
    const released = unsent;
    [recording, ended, unsent] = [ended, [], []];
    try {
      if (recording.length > 0) await recordAttempts(services, recording);
      if (released.length > 0) await queue.release(released);
      for (const { next } of recording) if ('at' in next) wakeUps.at(next.at);
      isBehind = false;
      // Else the next request that ends looks.
      if (sending.size === 0) lookForMore();
    } catch (error) {
      // After the lease another instance may have claimed them.
      ended.unshift(...recording.filter(({ delivery }) => delivery.leasedUntil > now()));
      unsent.unshift(...released.filter(({ leasedUntil }) => leasedUntil > now()));
      isBehind = true;
      outage.begin(error);
    }
    recording = [];
  });

  const wakeUps = createWakeUps(services, look);

  function start(delivery: ClaimedDelivery): void {
    const sent = send(delivery).finally(() => sending.delete(sent));
    sending.add(sent);
  }

  async function send(delivery: ClaimedDelivery): Promise<void> {
    const end = shares.start(delivery.webhookId, lookForMore);
    const result = await attempt(services, sender, delivery);
    end();
    // Our own shutdown aborted the request: not a failure of the receiver.
    const isAborted = state === 'stopping' && result.attempt.status === null;
    if (isAborted) unsent.push(delivery);
    else ended.push(result);
    void record();
    lookForMore();
  }

  function lookForMore(): void {
    if (isMoreDue) void look();
  }

  return {
    wake() {
      if (state === 'running') wakeUps.now();
    },

    async start() {
      state = 'running';
      const purge = () => log.purge(now() - KEPT_MS);
      const purgeLater = () => services.background.run('purge of webhooks', purge);
      purging = setInterval(purgeLater, PURGE_EVERY_MS).unref();
      await wakeUps.start();
    },

    async stop() {
      const wasRunning = state === 'running';
      state = 'stopping';
      clearInterval(purging);
      if (!wasRunning) return;
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
 * Runs `work`, which never throws, one at a time. Whatever is asked for meanwhile is one more run after it, and
 * what has ended at once is treated at once: with a database in the process, nothing else would gather it.
 */
function oneAtATime(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  let waiting: Promise<void> | undefined;
  return function run(): Promise<void> {
    if (running) {
      waiting ??= running.then(() => {
        waiting = undefined;
        return run();
      });
      return waiting;
    }
    running = gather()
      .then(work)
      .finally(() => {
        running = undefined;
      });
    return running;
  };
}
