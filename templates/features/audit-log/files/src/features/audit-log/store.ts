import { now } from '../../clock.js';
import { contains } from '../../db/contains.js';
import type { Db } from '../../db/schema.js';
import { orderedId } from '../../random.js';
import type { AuditEntry, AuditRecord } from './audit-entry.js';

/** What a search of the audit log may name; all of it must fit. */
export interface AuditSearch {
  limit: number;
  offset: number;
  /** Part of the action. */
  filter?: string | undefined;
  actorId?: string | undefined;
  target?: string | undefined;
  /** From this time (ms) on. */
  since?: number | undefined;
  /** Before this time (ms). */
  until?: number | undefined;
}

/** Append-only: there is no way to change or delete an entry. */
export interface AuditLogStore {
  append(entry: AuditEntry): Promise<void>;
  /** The newest first, with the number of all that fit. */
  search(search: AuditSearch): Promise<{ records: AuditRecord[]; total: number }>;
}

const TARGET_LENGTH = 400;
/** A UUID. What a script names as a user may be longer, and is none. */
const ID_LENGTH = 36;

/** The audit log on the service's database. */
export function auditLogStore(db: Db): AuditLogStore {
  return {
    async append({ details, ...entry }) {
      await db
        .insertInto('audit_log')
        .values({
          id: orderedId(),
          occurred_at: now(),
          action: entry.action,
          actor_id: entry.actorId && entry.actorId.length <= ID_LENGTH ? entry.actorId : null,
          target: entry.target?.slice(0, TARGET_LENGTH) ?? null,
          details: JSON.stringify(details),
          ip: entry.ip ?? null,
          user_agent: entry.userAgent,
          correlation_id: entry.correlationId ?? null,
        })
        .execute();
    },

    async search({ limit, offset, filter, actorId, target, since, until }) {
      let chosen = db.selectFrom('audit_log');
      if (filter) chosen = chosen.where(({ ref }) => contains(ref('action'), filter));
      if (actorId) chosen = chosen.where('actor_id', '=', actorId);
      if (target) chosen = chosen.where('target', '=', target);
      if (since !== undefined) chosen = chosen.where('occurred_at', '>=', since);
      if (until !== undefined) chosen = chosen.where('occurred_at', '<', until);
      const rows = await chosen
        .selectAll()
        .orderBy('occurred_at', 'desc')
        .orderBy('id')
        .limit(limit)
        .offset(offset)
        .execute();
      const { total } = await chosen
        .select((of) => of.fn.countAll<number>().as('total'))
        .executeTakeFirstOrThrow();
      const records = rows.map((row) => ({
        id: row.id,
        occurredAt: row.occurred_at,
        action: row.action,
        actorId: row.actor_id,
        target: row.target,
        details: JSON.parse(row.details),
        ip: row.ip,
        userAgent: row.user_agent,
        correlationId: row.correlation_id,
      }));
      return { records, total: Number(total) };
    },
  };
}
