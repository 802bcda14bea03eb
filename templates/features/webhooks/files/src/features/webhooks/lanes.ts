import { now } from '../../clock.js';
import type { Endpoint } from './endpoint.js';
import type { ClaimedDelivery, Settlement } from './queue.js';
import { REQUEST_MS } from './sender.js';

/** Requests under way: to one endpoint, and in all. */
const PER_ENDPOINT = 4;
const IN_ALL = 64;
/** After so many failures in a row here the rest of a lane goes back: the endpoint is asked again later. */
const PATIENCE = 5;

interface Lane {
  endpoint: Endpoint;
  waiting: ClaimedDelivery[];
  underWay: number;
  failures: number;
}

export interface Lanes {
  /** Endpoints that have something waiting. */
  busy(): Set<string>;
  underWay(): number;
  add(endpoint: Endpoint, deliveries: ClaimedDelivery[]): void;
  /** Takes everything out that has not been sent. */
  clear(): ClaimedDelivery[];
}

interface LaneWork {
  send(endpoint: Endpoint, delivery: ClaimedDelivery): Promise<Settlement>;
  settled(settlement: Settlement): void;
  /** Deliveries that are not sent now. */
  returned(deliveries: ClaimedDelivery[]): void;
  /** A lane has nothing waiting any more. */
  emptied(): void;
}

/** One lane for each endpoint: a slow one holds up nobody but itself. */
export function createLanes(work: LaneWork): Lanes {
  const lanes = new Map<string, Lane>();
  let total = 0;

  function pump(): void {
    for (const lane of lanes.values()) {
      while (total < IN_ALL && lane.underWay < PER_ENDPOINT) {
        const delivery = lane.waiting.shift();
        if (!delivery) break;
        // A request that might outlive its lease could be sent by another instance as well.
        if (delivery.leasedUntil - now() <= REQUEST_MS) work.returned([delivery]);
        else void run(lane, delivery);
      }
    }
  }

  async function run(lane: Lane, delivery: ClaimedDelivery): Promise<void> {
    lane.underWay += 1;
    total += 1;
    const settlement = await work.send(lane.endpoint, delivery);
    lane.underWay -= 1;
    total -= 1;
    lane.failures = settlement.next.state === 'delivered' ? 0 : lane.failures + 1;
    work.settled(settlement);
    if (lane.failures >= PATIENCE) work.returned(lane.waiting.splice(0));
    if (lane.waiting.length === 0) close(lane);
    pump();
  }

  function close(lane: Lane): void {
    if (lane.underWay > 0) return;
    lanes.delete(lane.endpoint.id);
    work.emptied();
  }

  return {
    busy: () => new Set(lanes.keys()),
    underWay: () => total,
    add(endpoint, deliveries) {
      lanes.set(endpoint.id, { endpoint, waiting: deliveries, underWay: 0, failures: 0 });
      pump();
    },
    clear: () => [...lanes.values()].flatMap(({ waiting }) => waiting.splice(0)),
  };
}
