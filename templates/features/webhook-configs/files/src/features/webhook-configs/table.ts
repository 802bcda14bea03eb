/** Times are ms since the epoch, ids are UUIDs. */
export interface WebhookConfigsTables {
  webhook_configs: {
    id: string;
    /** Where events are sent; null for an inbound configuration. */
    url: string | null;
    /** A JSON list of event names; `*` is every one. */
    events: string;
    sealed_secret: string | null;
    /** 1 or 0: not every database has booleans. */
    is_active: number;
    /** Null for every tenant. */
    tenant_id: string | null;
    max_retries: number;
    retry_delay_ms: number;
    /** The path parameter of an inbound configuration; unique. */
    provider: string | null;
    /** A JSON list of action ids. */
    allowed_actions: string;
    js_script: string | null;
    created_at: number;
    updated_at: number;
  };
}
