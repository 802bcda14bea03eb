/** An event as it is stored for all its receivers. */
export interface OutboxEvent {
  name: string;
  /** The text that is signed and sent. */
  body: string;
}

/** A delivery that this process may send until `leasedUntil` (ms). */
export interface ClaimedDelivery {
  id: string;
  eventId: string;
  webhookId: string;
  /** Fences the settlement: after the lease has gone to somebody else, it settles nothing. */
  lease: string;
  leasedUntil: number;
  /** Tries before this one. */
  attempts: number;
  event: OutboxEvent;
}

export interface ClaimOptions {
  /** Deliveries of one endpoint. */
  most: number;
  leaseMs: number;
  /** Endpoints that have enough to do. */
  except: Set<string>;
}

/** One try: its id is `X-Webhook-Delivery`. */
export interface Attempt {
  id: string;
  startedAt: number;
  durationMs: number;
  status: number | null;
  response: string | null;
  error: string | null;
}

/** How a try ended, and what comes next. */
export interface Settlement {
  delivery: ClaimedDelivery;
  attempt: Attempt;
  next: { state: 'delivered' | 'exhausted' } | { state: 'retrying'; at: number };
}

/**
 * The rows are the truth of what is still to be sent; whatever else wakes a dispatcher, it asks here.
 * Nothing here is held while a request is under way.
 */
export interface DeliveryQueue {
  /** Called in the transaction that caused the event. */
  enqueue(event: OutboxEvent, webhookIds: string[]): Promise<void>;
  /** Leases what is due for each endpoint; for one that pauses, only what it was told before. */
  claim(options: ClaimOptions): Promise<ClaimedDelivery[]>;
  /** Gives claims back that were not tried: they lose nothing. */
  release(deliveries: ClaimedDelivery[]): Promise<void>;
  /** Writes the ends of tries; called in a transaction. */
  settle(settlements: Settlement[]): Promise<void>;
  /** Sends a delivery once more, under the same `webhook-id`; false if there is none. */
  replay(deliveryId: string): Promise<boolean>;
  /** Forgets events, with all that belongs to them, from before `time` (ms). */
  purge(time: number): Promise<void>;
}
