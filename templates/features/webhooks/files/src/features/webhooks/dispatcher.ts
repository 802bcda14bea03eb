import { setTimeout as sleep } from 'node:timers/promises';
import type { Worker } from '../../feature.js';
import { monotonicTime, now } from '../../process/clock.js';
import type { Services } from '../../services.js';
import { deliver, readEndpoint } from './deliver.js';
import { createEndpointQueues } from './endpoint-queues.js';
import type { AttemptResult, ClaimedDelivery } from './queue.js';
import { recordAttempts } from './record-attempts.js';
import { createSender, REQUEST_MS } from './sender.js';
import { openWakeUps } from './wake-ups.js';

/** Results that arrive within this time are written together. */
const GATHER_MS = 20;
const MOST_CLAIMED = 128;
const LEASE_MS = REQUEST_MS + 15_000;
const KEPT_MS = 30 * 24 * 60 * 60_000;
const PURGE_EVERY_MS = 60 * 60_000;
/** How long requests under way may take at shutdown; what is aborted is sent again by another instance. */
const LAST_REQUESTS_MS = 3_000;

export interface Dispatcher extends Worker {
  /** Call it when a delivery may be due. */
  wake(): void;
}

/** Sends the deliveries of the outbox until it is stopped. */
export function createDispatcher(services: Services): Dispatcher {
  const { queue } = services.webhooks;
  const sender = createSender(services.config.WEBHOOK_ALLOW_PRIVATE);
  const wakeUps = openWakeUps(services);
  let state: 'idle' | 'running' | 'stopping' = 'idle';
  let purging: NodeJS.Timeout | undefined;
  let flushing: NodeJS.Timeout | undefined;
  let isFailing = false;
  let lastTurn: Promise<void> = Promise.resolve();
  let ended: AttemptResult[] = [];
  let returned: ClaimedDelivery[] = [];

  const endpointQueues = createEndpointQueues({
    send: (endpoint, delivery) => deliver(sender, endpoint, delivery),
    ended(result) {
      // Our own shutdown aborted the request: not a failure of the receiver.
      const isCutOff = state === 'stopping' && result.attempt.status === null;
      if (isCutOff) returned.push(result.delivery);
      else ended.push(result);
      flushSoon();
    },
    returned(deliveries) {
      returned.push(...deliveries);
      flushSoon();
    },
    emptied: wake,
  });

  /** Runs one task after the other. An unavailable or unmigrated database is logged once and tried again. */
  function inTurn(failure: string, work: () => Promise<void>): Promise<void> {
    lastTurn = lastTurn.then(work).then(
      () => {
        isFailing = false;
      },
      (error) => {
        if (!isFailing) services.log.warn({ err: error }, failure);
        isFailing = true;
      },
    );
    return lastTurn;
  }

  function wake(): void {
    if (state === 'running') wakeUps.now();
  }

  async function look(): Promise<void> {
    if (state === 'running') await inTurn('webhooks could not be claimed', claim);
  }

  async function claim(): Promise<void> {
    const except = endpointQueues.busy();
    const claimed = await queue.claim({ most: MOST_CLAIMED, leaseMs: LEASE_MS, except });
    for (const id of new Set(claimed.map(({ webhookId }) => webhookId))) {
      const deliveries = claimed.filter(({ webhookId }) => webhookId === id);
      const endpoint = await readEndpoint(services, id);
      if (endpoint && state === 'running') endpointQueues.add(endpoint, deliveries);
      else await queue.release(deliveries);
    }
  }

  function flushSoon(): void {
    flushing ??= setTimeout(() => {
      flushing = undefined;
      void flush();
    }, GATHER_MS);
  }

  /** Results that cannot be written are lost: the deliveries are sent again after their lease. */
  function flush(): Promise<void> {
    return inTurn('results of webhooks could not be written', async () => {
      const [results, unsent] = [ended, returned];
      [ended, returned] = [[], []];
      if (results.length > 0) await recordAttempts(services, results);
      for (const { next } of results) if ('at' in next) wakeUps.at(next.at);
      if (unsent.length > 0) await queue.release(unsent);
    });
  }

  return {
    wake,

    async start() {
      state = 'running';
      const purge = () => services.webhooks.log.purge(now() - KEPT_MS);
      const purgeLater = () => services.background.run('purge of webhooks', purge);
      purging = setInterval(purgeLater, PURGE_EVERY_MS).unref();
      await wakeUps.start(look);
    },

    async stop() {
      if (state !== 'running') return sender.close();
      state = 'stopping';
      clearInterval(purging);
      await wakeUps.stop();
      await lastTurn;
      returned.push(...endpointQueues.clear());
      const deadline = monotonicTime() + LAST_REQUESTS_MS;
      while (endpointQueues.underWay() > 0 && monotonicTime() < deadline) await sleep(GATHER_MS);
      await sender.close();
      while (endpointQueues.underWay() > 0) await sleep(GATHER_MS);
      clearTimeout(flushing);
      // Last, because the database is closed next.
      await flush();
    },
  };
}
