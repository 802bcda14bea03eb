import type { Selectable } from 'kysely';
import type { WebhookConfigsTables } from './table.js';

/** A webhook configuration of the specification, outgoing (`url`) or inbound (`provider`). Times in ms. */
export interface WebhookConfig {
  id: string;
  url: string | null;
  /** Event names; `*` is every one. */
  events: string[];
  /** Opened by `secretOf` alone. */
  sealedSecret: string | null;
  isActive: boolean;
  /** Null for every tenant. */
  tenantId: string | null;
  maxRetries: number;
  retryDelayMs: number;
  provider: string | null;
  allowedActions: string[];
  jsScript: string | null;
  createdAt: number;
  updatedAt: number;
}

type Row = Selectable<WebhookConfigsTables['webhook_configs']>;

/** A configuration from its row. */
export function configOf(row: Row): WebhookConfig {
  return {
    id: row.id,
    url: row.url,
    events: JSON.parse(row.events),
    sealedSecret: row.sealed_secret,
    isActive: row.is_active === 1,
    tenantId: row.tenant_id,
    maxRetries: row.max_retries,
    retryDelayMs: row.retry_delay_ms,
    provider: row.provider,
    allowedActions: JSON.parse(row.allowed_actions),
    jsScript: row.js_script,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

/** The row of a configuration. */
export function rowOf(config: WebhookConfig): Row {
  return {
    id: config.id,
    url: config.url,
    events: JSON.stringify(config.events),
    sealed_secret: config.sealedSecret,
    is_active: Number(config.isActive),
    tenant_id: config.tenantId,
    max_retries: config.maxRetries,
    retry_delay_ms: config.retryDelayMs,
    provider: config.provider,
    allowed_actions: JSON.stringify(config.allowedActions),
    js_script: config.jsScript,
    created_at: config.createdAt,
    updated_at: config.updatedAt,
  };
}

/** True if an event of that name is among those chosen. */
export function includesEvent(events: string[], name: string): boolean {
  return events.includes('*') || events.includes(name);
}
