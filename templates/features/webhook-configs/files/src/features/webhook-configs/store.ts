import { sql } from 'kysely';
import { compileOnce } from '../../db/compile-once.js';
import { contains } from '../../db/contains.js';
import { isUniqueViolation } from '../../db/errors.js';
import { insertUnlessTaken } from '../../db/insert.js';
import type { Db } from '../../db/schema.js';
import { configOf, includesEvent, rowOf, type WebhookConfig } from './webhook-config.js';

/** The webhook store of the specification. */
export interface WebhookConfigsStore {
  /** The active outgoing configurations that match an event: of its tenant, or of every one. */
  findByEvent(event: string, tenantId?: string): Promise<WebhookConfig[]>;
  /** True if there is an active outgoing configuration at all: asked beside what happens all the time. */
  hasOutgoing(): Promise<boolean>;
  /** The active inbound configuration of a provider. */
  findInbound(provider: string): Promise<WebhookConfig | undefined>;
  find(id: string): Promise<WebhookConfig | undefined>;
  /** The newest first; `filter` is part of the URL or of the provider's name. */
  list(page: {
    limit: number;
    offset: number;
    filter?: string | undefined;
  }): Promise<{ configs: WebhookConfig[]; total: number }>;
  /** False if another configuration has the provider. */
  create(config: WebhookConfig): Promise<boolean>;
  /** False if another configuration has the provider. */
  update(config: WebhookConfig): Promise<boolean>;
  /** Turns a configuration off; false if it was off, or is gone. */
  deactivate(id: string): Promise<boolean>;
  /** False if there is none. */
  delete(id: string): Promise<boolean>;
}

const activeOutgoing = (db: Db) =>
  db.selectFrom('webhook_configs').where('is_active', '=', sql.lit(1)).where('url', 'is not', null);

// Read with every event.
const selectOutgoing = compileOnce((db, tenantId: string | null) =>
  activeOutgoing(db)
    .selectAll()
    .where((where) =>
      where.or([where('tenant_id', 'is', null), where('tenant_id', '=', tenantId)]),
    ),
);
// Read with every refresh.
const selectAnyOutgoing = compileOnce((db) => activeOutgoing(db).select('id').limit(sql.lit(1)));

/** The webhook store on the service's database. */
export function webhookConfigsStore(db: Db): WebhookConfigsStore {
  const active = () => db.selectFrom('webhook_configs').selectAll().where('is_active', '=', 1);

  return {
    async findByEvent(event, tenantId) {
      // A comparison with null is never true.
      const { rows } = await selectOutgoing(db, tenantId ?? null);
      return rows.map(configOf).filter(({ events }) => includesEvent(events, event));
    },

    async hasOutgoing() {
      const { rows } = await selectAnyOutgoing(db);
      return rows.length > 0;
    },

    async findInbound(provider) {
      const row = await active().where('provider', '=', provider).executeTakeFirst();
      return row && configOf(row);
    },

    async find(id) {
      const row = await db
        .selectFrom('webhook_configs')
        .selectAll()
        .where('id', '=', id)
        .executeTakeFirst();
      return row && configOf(row);
    },

    async list({ limit, offset, filter }) {
      let chosen = db.selectFrom('webhook_configs');
      if (filter) {
        chosen = chosen.where(({ or, ref }) =>
          or([contains(ref('url'), filter), contains(ref('provider'), filter)]),
        );
      }
      const [rows, count] = await Promise.all([
        chosen
          .selectAll()
          .orderBy('created_at', 'desc')
          .orderBy('id')
          .limit(limit)
          .offset(offset)
          .execute(),
        chosen.select((of) => of.fn.countAll<number>().as('total')).executeTakeFirstOrThrow(),
      ]);
      return { configs: rows.map(configOf), total: Number(count.total) };
    },

    async create(config) {
      return insertUnlessTaken(db.insertInto('webhook_configs').values(rowOf(config)));
    },

    async update(config) {
      try {
        await db
          .updateTable('webhook_configs')
          .set(rowOf(config))
          .where('id', '=', config.id)
          .execute();
        return true;
      } catch (error) {
        // The request ends with this: that its transaction is lost on some databases does no harm.
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
      const { numDeletedRows } = await db
        .deleteFrom('webhook_configs')
        .where('id', '=', id)
        .executeTakeFirst();
      return numDeletedRows === 1n;
    },
  };
}
