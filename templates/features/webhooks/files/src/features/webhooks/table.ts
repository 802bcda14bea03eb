/** Times are ms since the epoch, ids are UUIDs. */
export interface WebhooksTables {
  webhook_events: {
    id: string;
    name: string;
    /** The JSON text that is signed and sent, stored once for all endpoints. */
    body: string;
    created_at: number;
  };
  webhook_deliveries: {
    id: string;
    event_id: string;
    webhook_id: string;
    state: DeliveryState;
    /** Tries that have ended. */
    attempts: number;
    next_at: number;
    /** Who is sending it now: drawn anew for each claim, so that a late settlement finds nothing. */
    lease: string | null;
    leased_until: number;
    created_at: number;
  };
  webhook_attempts: {
    /** Also `X-Webhook-Delivery`. */
    id: string;
    delivery_id: string;
    started_at: number;
    duration_ms: number;
    /** Null if there was no answer. */
    status: number | null;
    /** The first 1 kB of the answer. */
    response: string | null;
    error: string | null;
  };
  webhook_health: {
    webhook_id: string;
    /** Failures in a row. */
    failures: number;
    paused_until: number;
    /** Since when deliveries have been given up, without a success in between. */
    exhausted_since: number | null;
  };
  webhook_former_secrets: {
    webhook_id: string;
    sealed_secret: string;
    valid_until: number;
  };
}

/** `waiting`: not tried yet; `retrying`: tried in vain; `exhausted`: as often as the endpoint allows, and given up. */
export type DeliveryState = 'waiting' | 'retrying' | 'delivered' | 'exhausted';
