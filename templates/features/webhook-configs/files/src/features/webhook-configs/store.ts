import { type Insertable, type Selectable, sql } from 'kysely';
import { isUniqueViolation } from '../../db/errors.js';
import { contains, type Page, readPage } from '../../db/pages.js';
import { affectsRow, compileOnce } from '../../db/queries.js';
import type { Database, Db } from '../../db/schema.js';
import { insertUnlessTaken, withoutTimeout } from '../../db/sql.js';

/** The ways in which a provider may sign its calls. */
export const SIGNATURE_KINDS = [
  'service',
  'standard-webhooks',
  'github',
  'stripe',
  'slack',
] as const;

export type SignatureKind = (typeof SIGNATURE_KINDS)[number];

declare module '../../db/schema.js' {
  interface Database {
    /** A webhook: outgoing if it has a `url`, inbound if it has a `provider`. Times are ms since the epoch. */
    webhook_configs: {
      id: string;
      url: string | null;
      /** JSON: event names; `*` stands for all. */
      events: string;
      /** Opened with `secretColumn` only. */
      sealed_secret: string | null;
      /** The sealed secret that was replaced last; it keeps signing until `former_until`. */
      former_secret: string | null;
      former_until: number;
      /** 1 or 0. */
      is_active: number;
      /** Null: events of every tenant. */
      tenant_id: string | null;
      max_retries: number;
      retry_delay_ms: number;
      /** The path parameter of inbound calls; unique. */
      provider: string | null;
      /** Of inbound calls, if there is a secret. */
      signature: SignatureKind;
      /** JSON: ids of actions. */
      allowed_actions: string;
      js_script: string | null;
      /** Consecutive failures of an outgoing webhook. */
      failures: number;
      paused_until: number;
      /** When the first delivery since the last success was given up. */
      exhausted_since: number | null;
      created_at: number;
      updated_at: number;
    };
  }
}

/** A webhook as it is stored, with its lists read and without the former secret. */
export type WebhookConfig = ReturnType<typeof configOf>;

/** Absent and undefined fields keep their value. */
export type WebhookChanges = { [Name in keyof WebhookConfig]?: WebhookConfig[Name] | undefined };

// Runs at every event and every refresh: SQL compares the events before any row is parsed.
interface EventFilter {
  tenantId: string | null;
  pattern: string;
}

const selectOutgoing = compileOnce((db, { tenantId, pattern }: EventFilter) =>
  db
    .selectFrom('webhook_configs')
    .selectAll()
    .where('is_active', '=', sql.lit(1))
    .where('url', 'is not', null)
    .where((where) => where.or([where('tenant_id', 'is', null), where('tenant_id', '=', tenantId)]))
    .where(sql<boolean>`(events like '%"*"%' or events like ${pattern})`),
);

export function webhookConfigsStore(db: Db) {
  const all = db.selectFrom('webhook_configs');

  return {
    /** The active outgoing webhooks that subscribe to an event of this tenant. */
    async findByEvent(event: string, tenantId?: string): Promise<WebhookConfig[]> {
      // In SQL, a comparison with null is never true.
      const filter = { tenantId: tenantId ?? null, pattern: `%"${event}"%` };
      const { rows } = await selectOutgoing(db, filter);
      // Exactly: to some databases capitals are small letters here.
      return rows.map(configOf).filter(({ events }) => includesEvent(events, event));
    },

    /** The active inbound webhook of a provider. */
    async findInbound(provider: string): Promise<WebhookConfig | undefined> {
      const active = all.where('is_active', '=', 1).where('provider', '=', provider);
      const row = await active.selectAll().executeTakeFirst();
      return row && configOf(row);
    },

    async hasInbound() {
      const inbound = all.select('id').where('provider', 'is not', null);
      return (await inbound.limit(1).executeTakeFirst()) !== undefined;
    },

    async find(id: string): Promise<WebhookConfig | undefined> {
      const row = await all.selectAll().where('id', '=', id).executeTakeFirst();
      return row && configOf(row);
    },

    /** The newest first; `filter` is a part of the URL or of the provider's name. */
    async list({ filter, ...page }: Page & { filter?: string | undefined }) {
      const chosen = filter
        ? all.where(({ or, ref }) =>
            or([contains(ref('url'), filter), contains(ref('provider'), filter)]),
          )
        : all;
      const { rows, rest } = await readPage(chosen.selectAll(), page, ['created_at', 'id']);
      return { items: rows.map(configOf), rest };
    },

    /** Absent columns get their defaults. False if another webhook has the provider. */
    async create(config: WebhookChanges): Promise<boolean> {
      const row = rowOf(config) as Insertable<Database['webhook_configs']>;
      return insertUnlessTaken(db.insertInto('webhook_configs').values(row));
    },

    /**
     * Changes only the given fields; a replaced secret keeps signing until `formerUntil` (ms). Forgets failures: the
     * change may have repaired the webhook. False if another webhook has the provider.
     */
    async update(id: string, changes: WebhookChanges, formerUntil = 0): Promise<boolean> {
      const former_secret = sql.ref<string | null>('sealed_secret');
      const former = { former_secret, former_until: formerUntil };
      const replaced = changes.sealedSecret === undefined ? {} : former;
      // The former secret first, because some databases would read the column with its new value.
      const update = db.updateTable('webhook_configs').set({ ...replaced, ...rowOf(changes) });
      const anew = { failures: 0, paused_until: 0, exhausted_since: null };
      try {
        await update.set(anew).where('id', '=', id).execute();
        return true;
      } catch (error) {
        // Some databases abort the transaction at this error. That is harmless: the request ends here.
        if (isUniqueViolation(error)) return false;
        throw error;
      }
    },

    /** False if it is already inactive, or deleted. */
    async deactivate(id: string): Promise<boolean> {
      const active = db.updateTable('webhook_configs').where('id', '=', id);
      return affectsRow(active.where('is_active', '=', 1).set({ is_active: 0 }));
    },

    /** With its deliveries, however many there are; false if there is none. */
    async delete(id: string): Promise<boolean> {
      return affectsRow(withoutTimeout(db).deleteFrom('webhook_configs').where('id', '=', id));
    },
  };
}

/** True if a webhook for `events` subscribes to the event of that name. */
export function includesEvent(events: string[], name: string): boolean {
  return events.includes('*') || events.includes(name);
}

function configOf(row: Selectable<Database['webhook_configs']>) {
  const events: string[] = JSON.parse(row.events);
  const allowedActions: string[] = JSON.parse(row.allowed_actions);
  return {
    id: row.id,
    url: row.url,
    events,
    provider: row.provider,
    signature: row.signature,
    sealedSecret: row.sealed_secret,
    isActive: row.is_active === 1,
    tenantId: row.tenant_id,
    maxRetries: row.max_retries,
    retryDelayMs: row.retry_delay_ms,
    allowedActions,
    jsScript: row.js_script,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

/** The columns of the given fields. */
function rowOf({ events, isActive, allowedActions, ...config }: WebhookChanges) {
  return {
    id: config.id,
    url: config.url,
    events: events && JSON.stringify(events),
    sealed_secret: config.sealedSecret,
    is_active: isActive === undefined ? undefined : Number(isActive),
    tenant_id: config.tenantId,
    max_retries: config.maxRetries,
    retry_delay_ms: config.retryDelayMs,
    provider: config.provider,
    signature: config.signature,
    allowed_actions: allowedActions && JSON.stringify(allowedActions),
    js_script: config.jsScript,
    created_at: config.createdAt,
    updated_at: config.updatedAt,
  };
}
