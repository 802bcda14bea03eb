import { sql } from 'kysely';
import * as z from 'zod';
import { contains, readPage } from '../../db/pages.js';
import { deletePages } from '../../db/queries.js';
import type { Db } from '../../db/schema.js';
import { jsonText, withoutTimeout } from '../../db/sql.js';
import { now } from '../../process/clock.js';
import { orderedId } from '../../process/random.js';
import { sessionRows } from '../../session/session-store.js';
import { accountOf, accountRow } from '../../users/account.js';
import { withoutPersonalData } from '../user-deletion/feature.js';
import type { AuditPage } from './audit.js';
import type { FilteredPage } from './list.js';
import type { UsersPage } from './users.js';

declare module '../../db/schema.js' {
  /** Times are ms since the epoch, ids are UUIDs. */
  interface Database {
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
}

/** The fields of a profile that hold a name. */
const NAMES = ['name', 'firstName', 'lastName'];

/** Lists for administrators. */
export function adminStore(db: Db) {
  return {
    /** The newest first; `filter` is the id, or a part of the address or a name. */
    async listUsers({ filter, disabled, unverified, role, ...page }: UsersPage) {
      // `accountRow` asks for one row; the page's limit replaces that.
      let query = accountRow(db);
      if (filter) {
        query = query.where(({ eb, or, ref }) =>
          or([
            eb('users.id', '=', filter),
            contains(ref('users.email'), filter),
            ...NAMES.map((name) => contains(jsonText(ref('users.metadata'), name), filter)),
          ]),
        );
      }
      if (disabled !== undefined) {
        query = query.where('users.disabled_at', disabled ? 'is not' : 'is', null);
      }
      if (unverified !== undefined) {
        query = query.where('users.email_verified_at', unverified ? 'is' : 'is not', null);
      }
      if (role !== undefined) {
        const holders = db.selectFrom('user_roles').select('user_id').where('role_name', '=', role);
        query = query.where('users.id', 'in', holders);
      }
      const { rows, rest } = await readPage(query, page, ['users.created_at', 'users.id']);
      return { items: rows.map(accountOf), rest };
    },

    /** The most recently active first; `filter` is a user's id, or a part of an email or IP address. */
    async listSessions({ filter, ...page }: FilteredPage) {
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
      const order: [string, string] = ['sessions.last_active_at', 'sessions.id'];
      const { rows, rest } = await readPage(query, page, order);
      return { items: rows.map(({ email, ...session }) => ({ session, email })), rest };
    },
  };
}

/** One line of the audit log. */
export const AuditRecord = z.object({
  id: z.string(),
  occurredAt: z.iso.datetime(),
  /** The name of an event, an administrator's request (`POST /users/{id}/disable`) or a command (`admin disable`). */
  action: z.string(),
  /** A user's id, `cli:<os user>`, `webhook:<provider>`; null if unknown. */
  actor: z.string().nullable(),
  /** A user's id, or what the request's path names or created: an id, a name. */
  target: z.string().nullable(),
  details: z.record(z.string(), z.unknown()),
  ip: z.string().nullable(),
  userAgent: z.string().nullable(),
  correlationId: z.string().nullable(),
});

export type AuditRecord = z.infer<typeof AuditRecord>;
/** What is unknown may be absent. */
export type AuditEntry = Pick<AuditRecord, 'action' | 'details'> & {
  [Field in 'actor' | 'target' | 'ip' | 'userAgent' | 'correlationId']?: string | null | undefined;
};

/** An entry is changed only to forget a deleted user, and deleted only after its time. */
export function auditLogStore(db: Db) {
  return {
    async append({ action, details, ...known }: AuditEntry): Promise<void> {
      const { actor = null, target = null, ip = null } = known;
      const { userAgent: user_agent = null, correlationId: correlation_id = null } = known;
      const act = { action, actor, target, details: JSON.stringify(details) };
      const row = { id: orderedId(), occurred_at: now(), ...act, ip, user_agent, correlation_id };
      await db.insertInto('audit_log').values(row).execute();
    },

    /** Entries about a deleted user lose address, name, number, IP address and device. */
    async forgetUser(id: string): Promise<void> {
      // A long history must not keep an account from being deleted.
      await withoutTimeout(db)
        .updateTable('audit_log')
        .set({ ip: null, user_agent: null })
        .where(({ and, eb, or }) =>
          or([eb('actor', '=', id), and([eb('target', '=', id), eb('actor', 'is', null)])]),
        )
        .execute();
      const about = db.selectFrom('audit_log').select(['id', 'details']).where('target', '=', id);
      for (const row of await about.execute()) {
        const details = JSON.stringify(withoutPersonalData(JSON.parse(row.details)));
        if (details === row.details) continue;
        await db.updateTable('audit_log').set({ details }).where('id', '=', row.id).execute();
      }
    },

    /** Deletes the entries older than `time` (ms). */
    deleteBefore: (time: number) => deletePages(db, 'audit_log', sql`occurred_at < ${time}`),

    /** Entries that match all criteria, the newest first; `filter` is a part of the action, `event` all of it. */
    async search({ filter, actor, target, event, from, to, ...page }: AuditPage) {
      let query = db
        .selectFrom('audit_log')
        .select(['id', 'occurred_at as time', 'action', 'actor', 'target', 'details', 'ip'])
        .select(['user_agent as userAgent', 'correlation_id as correlationId']);
      if (filter) query = query.where(({ ref }) => contains(ref('action'), filter));
      if (actor) query = query.where('actor', '=', actor);
      if (target) query = query.where('target', '=', target);
      if (event) query = query.where('action', '=', event);
      if (from !== undefined) query = query.where('occurred_at', '>=', from);
      if (to !== undefined) query = query.where('occurred_at', '<', to);
      const { rows, rest } = await readPage(query, page, ['occurred_at', 'id']);
      const items = rows.map(({ time, details, ...row }): AuditRecord => {
        return { ...row, occurredAt: new Date(time).toISOString(), details: JSON.parse(details) };
      });
      return { items, rest };
    },
  };
}
