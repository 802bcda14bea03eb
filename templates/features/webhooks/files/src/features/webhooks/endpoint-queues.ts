import { now } from '../../process/clock.js';
import type { Endpoint } from './deliver.js';
import type { AttemptResult, ClaimedDelivery } from './queue.js';
import { REQUEST_MS } from './sender.js';

/** Requests under way at once. */
const PER_ENDPOINT = 4;
const IN_ALL = 64;
/** After so many failures in a row the waiting claims are released: a dead endpoint must not hold them. */
const FAILURES_TO_GIVE_BACK = 5;

interface EndpointQueue {
  endpoint: Endpoint;
  waiting: ClaimedDelivery[];
  underWay: number;
  failures: number;
}

export interface EndpointQueues {
  /** The endpoints with deliveries waiting or under way. */
  busy(): Set<string>;
  underWay(): number;
  add(endpoint: Endpoint, deliveries: ClaimedDelivery[]): void;
  /** Removes and returns what has not been sent. */
  clear(): ClaimedDelivery[];
}

interface QueueWork {
  /** Never throws. */
  send(endpoint: Endpoint, delivery: ClaimedDelivery): Promise<AttemptResult>;
  ended(result: AttemptResult): void;
  /** Called with claims to release unsent. */
  returned(deliveries: ClaimedDelivery[]): void;
  /** Called when an endpoint has nothing left to send. */
  emptied(): void;
}

/** One queue for each endpoint, so that a slow one delays only itself. */
export function createEndpointQueues(work: QueueWork): EndpointQueues {
  const queues = new Map<string, EndpointQueue>();
  let total = 0;

  function sendNext(): void {
    for (const queue of queues.values()) {
      while (total < IN_ALL && queue.underWay < PER_ENDPOINT) {
        const delivery = queue.waiting.shift();
        if (!delivery) break;
        // A request that could outlive its lease might be sent by another instance as well.
        if (delivery.leasedUntil - now() <= REQUEST_MS) work.returned([delivery]);
        else void send(queue, delivery);
      }
    }
  }

  async function send(queue: EndpointQueue, delivery: ClaimedDelivery): Promise<void> {
    queue.underWay += 1;
    total += 1;
    const result = await work.send(queue.endpoint, delivery);
    queue.underWay -= 1;
    total -= 1;
    queue.failures = result.next.state === 'delivered' ? 0 : queue.failures + 1;
    work.ended(result);
    if (queue.failures >= FAILURES_TO_GIVE_BACK) work.returned(queue.waiting.splice(0));
    if (queue.waiting.length === 0 && queue.underWay === 0) {
      queues.delete(queue.endpoint.id);
      work.emptied();
    }
    sendNext();
  }

  return {
    busy: () => new Set(queues.keys()),
    underWay: () => total,
    add(endpoint, deliveries) {
      queues.set(endpoint.id, { endpoint, waiting: deliveries, underWay: 0, failures: 0 });
      sendNext();
    },
    clear: () => [...queues.values()].flatMap(({ waiting }) => waiting.splice(0)),
  };
}
