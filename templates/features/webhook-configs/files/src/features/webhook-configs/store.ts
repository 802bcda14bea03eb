import { type Selectable, sql } from 'kysely';
import { isUniqueViolation } from '../../db/errors.js';
import { compileOnce, contains } from '../../db/queries.js';
import type { Db } from '../../db/schema.js';
import { insertUnlessTaken } from '../../db/sql.js';

/** Lists are JSON, `is_active` is 1 or 0, times are ms since the epoch. */
export interface WebhookConfigsTables {
  webhook_configs: {
    id: string;
    url: string | null;
    events: string;
    sealed_secret: string | null;
    is_active: number;
    tenant_id: string | null;
    max_retries: number;
    retry_delay_ms: number;
    provider: string | null;
    allowed_actions: string;
    js_script: string | null;
    created_at: number;
    updated_at: number;
  };
}

declare module '../../db/schema.js' {
  interface Database extends WebhookConfigsTables {}
}

/** A webhook: outgoing if it has a `url`, inbound if it has a `provider`. Times in ms since the epoch. */
export interface WebhookConfig {
  id: string;
  url: string | null;
  /** Event names; `*` stands for all. */
  events: string[];
  /** Unsealed by `secretOf` only. */
  sealedSecret: string | null;
  isActive: boolean;
  /** Null: of every tenant. */
  tenantId: string | null;
  maxRetries: number;
  retryDelayMs: number;
  /** The path parameter of inbound calls; unique. */
  provider: string | null;
  /** Ids of actions. */
  allowedActions: string[];
  jsScript: string | null;
  createdAt: number;
  updatedAt: number;
}

export interface WebhookConfigsStore {
  /** The active outgoing webhooks that want an event of this tenant. */
  findByEvent(event: string, tenantId?: string): Promise<WebhookConfig[]>;
  /** The active inbound webhook of a provider. */
  findInbound(provider: string): Promise<WebhookConfig | undefined>;
  find(id: string): Promise<WebhookConfig | undefined>;
  /** The newest first; `filter` is part of the URL or of the provider's name. */
  list(page: {
    limit: number;
    offset: number;
    filter?: string | undefined;
  }): Promise<{ configs: WebhookConfig[]; total: number }>;
  /** False if another webhook has the provider. */
  create(config: WebhookConfig): Promise<boolean>;
  /** False if another webhook has the provider. */
  update(config: WebhookConfig): Promise<boolean>;
  /** False if it is inactive already, or deleted. */
  deactivate(id: string): Promise<boolean>;
  /** False if there is none. */
  delete(id: string): Promise<boolean>;
}

// Runs at every event and every refresh.
const selectOutgoing = compileOnce((db, tenantId: string | null) =>
  db
    .selectFrom('webhook_configs')
    .selectAll()
    .where('is_active', '=', sql.lit(1))
    .where('url', 'is not', null)
    .where((where) =>
      where.or([where('tenant_id', 'is', null), where('tenant_id', '=', tenantId)]),
    ),
);

export function webhookConfigsStore(db: Db): WebhookConfigsStore {
  const all = db.selectFrom('webhook_configs');

  return {
    async findByEvent(event, tenantId) {
      // In SQL, a comparison with null is never true.
      const { rows } = await selectOutgoing(db, tenantId ?? null);
      return rows.map(configOf).filter(({ events }) => includesEvent(events, event));
    },

    async findInbound(provider) {
      const active = all.where('is_active', '=', 1).where('provider', '=', provider);
      const row = await active.selectAll().executeTakeFirst();
      return row && configOf(row);
    },

    async find(id) {
      const row = await all.selectAll().where('id', '=', id).executeTakeFirst();
      return row && configOf(row);
    },

    async list({ limit, offset, filter }) {
      let chosen = all;
      if (filter) {
        chosen = chosen.where(({ or, ref }) =>
          or([contains(ref('url'), filter), contains(ref('provider'), filter)]),
        );
      }
      const page = chosen.selectAll().orderBy('created_at', 'desc').orderBy('id');
      const rows = await page.limit(limit).offset(offset).execute();
      const { total } = await chosen
        .select((of) => of.fn.countAll<number>().as('total'))
        .executeTakeFirstOrThrow();
      return { configs: rows.map(configOf), total: Number(total) };
    },

    async create(config) {
      return insertUnlessTaken(db.insertInto('webhook_configs').values(rowOf(config)));
    },

    async update(config) {
      const update = db.updateTable('webhook_configs').set(rowOf(config));
      try {
        await update.where('id', '=', config.id).execute();
        return true;
      } catch (error) {
        // Some databases abort the transaction at this error. That is harmless: the request ends here.
        if (isUniqueViolation(error)) return false;
        throw error;
      }
    },

    async deactivate(id) {
      const { numUpdatedRows } = await db
        .updateTable('webhook_configs')
        .set({ is_active: 0 })
        .where('id', '=', id)
        .where('is_active', '=', 1)
        .executeTakeFirst();
      return numUpdatedRows === 1n;
    },

    async delete(id) {
      const deletion = db.deleteFrom('webhook_configs').where('id', '=', id);
      return (await deletion.executeTakeFirst()).numDeletedRows === 1n;
    },
  };
}

/** True if a webhook for `events` wants the event of that name. */
export function includesEvent(events: string[], name: string): boolean {
  return events.includes('*') || events.includes(name);
}

type Row = Selectable<WebhookConfigsTables['webhook_configs']>;

function configOf(row: Row): WebhookConfig {
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

function rowOf(config: WebhookConfig): Row {
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
