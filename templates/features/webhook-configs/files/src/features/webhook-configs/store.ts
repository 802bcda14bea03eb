import { type Insertable, type Selectable, sql } from 'kysely';
import { isUniqueViolation } from '../../db/errors.js';
import { compileOnce, contains, type Page, readPage } from '../../db/queries.js';
import type { Db } from '../../db/schema.js';
import { insertUnlessTaken } from '../../db/sql.js';

/** How the calls of a provider are signed. */
export const SIGNATURE_KINDS = [
  'service',
  'standard-webhooks',
  'github',
  'stripe',
  'slack',
] as const;

export type SignatureKind = (typeof SIGNATURE_KINDS)[number];

/** Lists are JSON, `is_active` is 1 or 0, times are ms since the epoch. */
export interface WebhookConfigsTables {
  webhook_configs: {
    id: string;
    url: string | null;
    events: string;
    sealed_secret: string | null;
    /** The sealed secret that was replaced last; it signs as well until `former_until`. */
    former_secret: string | null;
    former_until: number;
    is_active: number;
    tenant_id: string | null;
    max_retries: number;
    retry_delay_ms: number;
    provider: string | null;
    signature: SignatureKind;
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
  /** Of inbound calls, if there is a secret. */
  signature: SignatureKind;
  /** Ids of actions. */
  allowedActions: string[];
  jsScript: string | null;
  createdAt: number;
  updatedAt: number;
}

// Runs at every event and every refresh: the events are compared in SQL before any row is parsed.
const selectOutgoing = compileOnce((db, tenantId: string | null, pattern: string) =>
  db
    .selectFrom('webhook_configs')
    .selectAll()
    .where('is_active', '=', sql.lit(1))
    .where('url', 'is not', null)
    .where((where) => where.or([where('tenant_id', 'is', null), where('tenant_id', '=', tenantId)]))
    .where(sql<boolean>`(events like '%"*"%' or events like ${pattern} escape '!')`),
);

export function webhookConfigsStore(db: Db) {
  const all = db.selectFrom('webhook_configs');

  return {
    /** The active outgoing webhooks that want an event of this tenant. */
    async findByEvent(event: string, tenantId?: string): Promise<WebhookConfig[]> {
      // In SQL, a comparison with null is never true.
      const pattern = `%${JSON.stringify(event).replace(/[!%_]/g, '!$&')}%`;
      const { rows } = await selectOutgoing(db, tenantId ?? null, pattern);
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

    /** The newest first; `filter` is part of the URL or of the provider's name. */
    async list({ filter, ...page }: Page & { filter?: string | undefined }) {
      const chosen = filter
        ? all.where(({ or, ref }) =>
            or([contains(ref('url'), filter), contains(ref('provider'), filter)]),
          )
        : all;
      const ordered = chosen.selectAll().orderBy('created_at', 'desc').orderBy('id');
      const { rows, total } = await readPage(ordered, page);
      return { configs: rows.map(configOf), total };
    },

    /** False if another webhook has the provider. */
    async create(config: WebhookConfig): Promise<boolean> {
      const row = { ...rowOf(config), former_until: 0 } as Insertable<Table>;
      return insertUnlessTaken(db.insertInto('webhook_configs').values(row));
    },

    /**
     * Changes what is given and nothing else; a secret that is replaced signs until `formerUntil` (ms) as well.
     * False if another webhook has the provider.
     */
    async update(
      id: string,
      changes: Partial<WebhookConfig>,
      formerUntil: number,
    ): Promise<boolean> {
      // First of all, because some databases would read the column as it was just set.
      const former = {
        former_secret: sql.ref<string | null>('sealed_secret'),
        former_until: formerUntil,
      };
      const replaced = changes.sealedSecret === undefined ? {} : former;
      const update = db.updateTable('webhook_configs').set({ ...replaced, ...rowOf(changes) });
      try {
        await update.where('id', '=', id).execute();
        return true;
      } catch (error) {
        // Some databases abort the transaction at this error. That is harmless: the request ends here.
        if (isUniqueViolation(error)) return false;
        throw error;
      }
    },

    /** False if it is inactive already, or deleted. */
    async deactivate(id: string): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('webhook_configs')
        .set({ is_active: 0 })
        .where('id', '=', id)
        .where('is_active', '=', 1)
        .executeTakeFirst();
      return numUpdatedRows === 1n;
    },

    /** False if there is none. */
    async delete(id: string): Promise<boolean> {
      const deletion = db.deleteFrom('webhook_configs').where('id', '=', id);
      return (await deletion.executeTakeFirst()).numDeletedRows === 1n;
    },
  };
}

/** True if a webhook for `events` wants the event of that name. */
export function includesEvent(events: string[], name: string): boolean {
  return events.includes('*') || events.includes(name);
}

type Table = WebhookConfigsTables['webhook_configs'];

function configOf(row: Selectable<Table>): WebhookConfig {
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
    signature: row.signature,
    allowedActions: JSON.parse(row.allowed_actions),
    jsScript: row.js_script,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

/** The columns of the fields that are given. */
function rowOf({ events, isActive, allowedActions, ...config }: Partial<WebhookConfig>) {
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
