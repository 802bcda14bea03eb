import { setTimeout as sleep } from 'node:timers/promises';
import { monotonicTime, now } from '../../clock.js';
import type { Part } from '../../part.js';
import type { Services } from '../../services.js';
import { deliver } from './deliver.js';
import { readEndpoint } from './endpoint.js';
import { createLanes } from './lanes.js';
import { openWakeUps } from './open-wake-ups.js';
import type { ClaimedDelivery, Settlement } from './queue.js';
import { createSender, REQUEST_MS } from './sender.js';
import { settleTries } from './settle-tries.js';

/** Ends of tries are written together. */
const GATHER_MS = 20;
const CLAIM = 128;
const LEASE_MS = REQUEST_MS + 15_000;
const KEPT_MS = 30 * 24 * 60 * 60_000;
const PURGE_EVERY_MS = 60 * 60_000;
/** Requests under way at shutdown have this long; what is cut off is sent again by whoever is next. */
const LAST_REQUESTS_MS = 3_000;

export interface Dispatcher extends Part {
  /** Says that something may be due. */
  wake(): void;
}

/** Delivers what is in the outbox, until it is stopped. */
export function webhooksPart(services: Services): Dispatcher {
  const sender = createSender(services.config.WEBHOOK_ALLOW_PRIVATE);
  const wakeUps = openWakeUps(services);
  let state: 'idle' | 'running' | 'stopping' = 'idle';
  let purging: NodeJS.Timeout | undefined;
  let settling: NodeJS.Timeout | undefined;
  let isFailing = false;
  let claiming: Promise<void> = Promise.resolve();
  let settled: Settlement[] = [];
  let returned: ClaimedDelivery[] = [];

  const lanes = createLanes({
    send: (endpoint, delivery) => deliver(sender, endpoint, delivery),
    settled(settlement) {
      // Cut off by our own shutdown: that is no failure of the receiver.
      const isCutOff = state === 'stopping' && settlement.attempt.status === null;
      if (isCutOff) returned.push(settlement.delivery);
      else settled.push(settlement);
      settleSoon();
    },
    returned(deliveries) {
      returned.push(...deliveries);
      settleSoon();
    },
    emptied: wake,
  });

  function wake(): void {
    if (state === 'running') wakeUps.now();
  }

  async function look(): Promise<void> {
    if (state !== 'running') return;
    claiming = claiming.then(claim);
    await claiming;
  }

  async function claim(): Promise<void> {
    await attempt('webhooks could not be claimed', async () => {
      const options = { most: CLAIM, leaseMs: LEASE_MS, except: lanes.busy() };
      const claimed = await services.webhooks.queue.claim(options);
      for (const id of new Set(claimed.map(({ webhookId }) => webhookId))) {
        const deliveries = claimed.filter(({ webhookId }) => webhookId === id);
        const endpoint = await readEndpoint(services, id);
        if (endpoint && state === 'running') lanes.add(endpoint, deliveries);
        else await services.webhooks.queue.release(deliveries);
      }
    });
  }

  function settleSoon(): void {
    settling ??= setTimeout(() => {
      settling = undefined;
      claiming = claiming.then(flush);
    }, GATHER_MS);
  }

  /** What cannot be written is tried again by whoever claims it once the lease is over. */
  async function flush(): Promise<void> {
    const [ended, back] = [settled, returned];
    [settled, returned] = [[], []];
    await attempt('webhooks could not be settled', async () => {
      if (ended.length > 0) await settleTries(services, ended);
      for (const { next } of ended) if ('at' in next) wakeUps.at(next.at);
      if (back.length > 0) await services.webhooks.queue.release(back);
    });
  }

  /** The database may be away, or not migrated yet: that is said once, and tried again. */
  async function attempt(failure: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
      isFailing = false;
    } catch (error) {
      if (!isFailing) services.log.warn({ err: error }, failure);
      isFailing = true;
    }
  }

  return {
    wake,

    async start() {
      state = 'running';
      purging = setInterval(purge, PURGE_EVERY_MS).unref();
      await wakeUps.start(look);
    },

    async stop() {
      if (state !== 'running') return sender.close();
      state = 'stopping';
      clearInterval(purging);
      await wakeUps.stop();
      await claiming;
      returned.push(...lanes.clear());
      const deadline = monotonicTime() + LAST_REQUESTS_MS;
      while (lanes.underWay() > 0 && monotonicTime() < deadline) await sleep(GATHER_MS);
      await sender.close();
      while (lanes.underWay() > 0) await sleep(GATHER_MS);
      clearTimeout(settling);
      // After the one that is being written: whoever stops us closes the database next.
      claiming = claiming.then(flush);
      await claiming;
    },
  };

  function purge(): void {
    services.background.run('purge of webhooks', () =>
      services.webhooks.queue.purge(now() - KEPT_MS),
    );
  }
}
