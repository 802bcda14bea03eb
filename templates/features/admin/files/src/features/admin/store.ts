import { z } from 'zod';
import { contains, type Page, readPage } from '../../db/queries.js';
import type { Db } from '../../db/schema.js';
import { now } from '../../process/clock.js';
import { orderedId } from '../../process/random.js';
import { type Session, sessionOf } from '../../session/session.js';
import { type Account, accountOf, accountRow } from '../../users/account.js';

/** Times are ms since the epoch, ids are UUIDs. */
interface AuditLogTables {
  audit_log: {
    id: string;
    occurred_at: number;
    action: string;
    actor_id: string | null;
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
      let query = db
        .selectFrom('sessions')
        .innerJoin('users', 'users.id', 'sessions.user_id')
        .selectAll('sessions')
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
      const sessions = rows.map((row) => ({ session: sessionOf(row), email: row.email }));
      return { sessions, total };
    },
  };
}

/** One line of the audit log. */
export const AuditRecord = z.object({
  id: z.string(),
  occurredAt: z.iso.datetime(),
  /** The name of an event, or an administrator's request: `POST /users/{id}/disable`. */
  action: z.string(),
  /** The user who did it; null if nobody was signed in. */
  actorId: z.string().nullable(),
  /** A user's id, or the parameters of the request's path. */
  target: z.string().nullable(),
  details: z.record(z.string(), z.unknown()),
  ip: z.string().nullable(),
  userAgent: z.string().nullable(),
  correlationId: z.string().nullable(),
});

export type AuditRecord = z.infer<typeof AuditRecord>;
export type AuditEntry = Omit<AuditRecord, 'id' | 'occurredAt'>;

/** Criteria of a search in the audit log; all must match. */
export interface AuditSearch extends FilteredPage {
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
  /** The newest first, with the number of all that match; `filter` is part of the action. */
  search(search: AuditSearch): Promise<{ records: AuditRecord[]; total: number }>;
}

/** The length of the column. */
const TARGET_LENGTH = 400;
/** The length of a UUID. A longer text, which a script may have chosen, is no user's id. */
const ID_LENGTH = 36;

export function auditLogStore(db: Db): AuditLogStore {
  return {
    async append({ action, actorId, target, details, ip, userAgent, correlationId }) {
      await db
        .insertInto('audit_log')
        .values({
          id: orderedId(),
          occurred_at: now(),
          action,
          actor_id: actorId && actorId.length <= ID_LENGTH ? actorId : null,
          target: target?.slice(0, TARGET_LENGTH) ?? null,
          details: JSON.stringify(details),
          ip,
          user_agent: userAgent,
          correlation_id: correlationId,
        })
        .execute();
    },

    async search({ filter, actorId, target, since, until, ...page }) {
      let query = db.selectFrom('audit_log').selectAll();
      if (filter) query = query.where(({ ref }) => contains(ref('action'), filter));
      if (actorId) query = query.where('actor_id', '=', actorId);
      if (target) query = query.where('target', '=', target);
      if (since !== undefined) query = query.where('occurred_at', '>=', since);
      if (until !== undefined) query = query.where('occurred_at', '<', until);
      const ordered = query.orderBy('occurred_at', 'desc').orderBy('id');
      const { rows, total } = await readPage(ordered, page);
      const records = rows.map((row) => ({
        id: row.id,
        occurredAt: new Date(row.occurred_at).toISOString(),
        action: row.action,
        actorId: row.actor_id,
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
