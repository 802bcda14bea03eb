import { z } from 'zod';
import { contains, type Page, readPage } from '../../db/queries.js';
import type { Db } from '../../db/schema.js';
import { now } from '../../process/clock.js';
import { orderedId } from '../../process/random.js';
import { type Session, sessionRows } from '../../session/session-store.js';
import { type Account, accountOf, accountRow } from '../../users/account.js';
import type { AuditQuery } from './audit.js';

/** Times are ms since the epoch, ids are UUIDs. */
interface AuditLogTables {
  audit_log: {
    id: string;
    occurred_at: number;
    action: string;
    actor: string | null;
    target: string | null;
    /** A JSON object. */
    details: string;
    ip: string | null;
    user_agent: string | null;
    correlation_id: string | null;
  };
}

declare module '../../db/schema.js' {
  interface Database extends AuditLogTables {}
}

interface FilteredPage extends Page {
  filter?: string | undefined;
}

/** Lists for administrators; `total` is the number of all matches. */
export interface AdminStore {
  /** The newest first; `filter` is part of the address. */
  listUsers(page: FilteredPage): Promise<{ accounts: Account[]; total: number }>;
  /** The latest active first; `filter` is a user's id, or part of an email or IP address. */
  listSessions(
    page: FilteredPage,
  ): Promise<{ sessions: { session: Session; email: string }[]; total: number }>;
}

export function adminStore(db: Db): AdminStore {
  return {
    async listUsers({ filter, ...page }) {
      // `accountRow` asks for one row; the page's limit replaces that.
      let query = accountRow(db);
      if (filter) query = query.where(({ ref }) => contains(ref('users.email'), filter));
      const ordered = query.orderBy('users.created_at', 'desc').orderBy('users.id');
      const { rows, total } = await readPage(ordered, page);
      return { accounts: rows.map(accountOf), total };
    },

    async listSessions({ filter, ...page }) {
      let query = sessionRows(db)
        .innerJoin('users', 'users.id', 'sessions.user_id')
        .select('users.email');
      if (filter) {
        query = query.where(({ eb, or, ref }) =>
          or([
            eb('sessions.user_id', '=', filter),
            contains(ref('users.email'), filter),
            contains(ref('sessions.ip_address'), filter),
          ]),
        );
      }
      const ordered = query.orderBy('last_active_at', 'desc').orderBy('sessions.id');
      const { rows, total } = await readPage(ordered, page);
      const sessions = rows.map(({ email, ...session }) => ({ session, email }));
      return { sessions, total };
    },
  };
}

/** One line of the audit log. */
export const AuditRecord = z.object({
  id: z.string(),
  occurredAt: z.iso.datetime(),
  /** The name of an event, an administrator's request (`POST /users/{id}/disable`) or a command (`admin disable`). */
  action: z.string(),
  /** A user's id, `cli:<os user>`, `webhook:<provider>`; null if nobody can tell. */
  actor: z.string().nullable(),
  /** A user's id, or the parameters of the request's path. */
  target: z.string().nullable(),
  details: z.record(z.string(), z.unknown()),
  ip: z.string().nullable(),
  userAgent: z.string().nullable(),
  correlationId: z.string().nullable(),
});

export type AuditRecord = z.infer<typeof AuditRecord>;
export type AuditEntry = Omit<AuditRecord, 'id' | 'occurredAt'>;

/** Append-only: there is no way to change or delete an entry. */
export interface AuditLogStore {
  append(entry: AuditEntry): Promise<void>;
  /** The newest first of those that match all criteria; `filter` is part of the action, `event` the whole. */
  search(criteria: z.output<typeof AuditQuery>): Promise<{ records: AuditRecord[]; total: number }>;
}

/** The lengths of the columns. */
const TARGET_LENGTH = 400;
const ACTOR_LENGTH = 128;

export function auditLogStore(db: Db): AuditLogStore {
  return {
    async append({ action, actor, target, details, ip, userAgent, correlationId }) {
      await db
        .insertInto('audit_log')
        .values({
          id: orderedId(),
          occurred_at: now(),
          action,
          actor: actor?.slice(0, ACTOR_LENGTH) ?? null,
          target: target?.slice(0, TARGET_LENGTH) ?? null,
          details: JSON.stringify(details),
          ip,
          user_agent: userAgent,
          correlation_id: correlationId,
        })
        .execute();
    },

    async search({ filter, actor, target, event, from, to, ...page }) {
      let query = db.selectFrom('audit_log').selectAll();
      if (filter) query = query.where(({ ref }) => contains(ref('action'), filter));
      if (actor) query = query.where('actor', '=', actor);
      if (target) query = query.where('target', '=', target);
      if (event) query = query.where('action', '=', event);
      if (from !== undefined) query = query.where('occurred_at', '>=', from);
      if (to !== undefined) query = query.where('occurred_at', '<', to);
      const ordered = query.orderBy('occurred_at', 'desc').orderBy('id');
      const { rows, total } = await readPage(ordered, page);
      const records = rows.map((row) => ({
        id: row.id,
        occurredAt: new Date(row.occurred_at).toISOString(),
        action: row.action,
        actor: row.actor,
        target: row.target,
        details: JSON.parse(row.details),
        ip: row.ip,
        userAgent: row.user_agent,
        correlationId: row.correlation_id,
      }));
      return { records, total };
    },
  };
}
