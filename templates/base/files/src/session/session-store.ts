import { compileOnce } from '../db/compile-once.js';
import { locked, lockedUnlessHeld } from '../db/locks.js';
import type { Db } from '../db/schema.js';
import { accountOf, accountRow } from '../users/account-query.js';
import type { Account } from './caller.js';
import { type LiveSession, type Rotation, rowOf, type Session, sessionOf } from './session.js';

/** The session store of the specification. */
export interface SessionStore {
  create(session: Session): Promise<void>;
  find(id: string): Promise<Session | undefined>;
  /** The account behind a session that exists, in one query. */
  findAccount(id: string): Promise<Account | undefined>;
  /** What a refresh needs, session and account, in one query. */
  findWithAccount(id: string): Promise<{ session: LiveSession; account: Account } | undefined>;
  /** Replaces the live refresh token; false if another request has done so since it was read. */
  rotate(session: LiveSession, rotation: Rotation): Promise<boolean>;
  listOfUser(userId: string): Promise<Session[]>;
  /** False if the session does not exist, or belongs to somebody else. */
  revoke(id: string, userId: string): Promise<boolean>;
  /** Ends all sessions of a user but `keptId`; returns the ended ones' ids. */
  revokeAllOfUser(userId: string, keptId?: string): Promise<string[]>;
  /** Looks at the next sessions by their ids; undefined after the last. */
  findExpired(time: number, after?: string): Promise<ExpiredSessions | undefined>;
  /** Within a transaction: deletes those of the sessions that ended before `time` (ms); returns them. */
  deleteExpired(ids: string[], time: number): Promise<{ id: string; userId: string }[]>;
}

/** Which of the sessions looked at ended before a time, and where to look on. */
export interface ExpiredSessions {
  ids: string[];
  last: string;
}

/** Rows of one statement; below the number of parameters that every database takes. */
const CHUNK = 500;

const selectAccount = compileOnce((db, id: string) =>
  accountRow(db)
    .innerJoin('sessions', 'sessions.user_id', 'users.id')
    .where('sessions.id', '=', id),
);
const selectWithAccount = compileOnce((db, id: string) =>
  accountRow(db)
    .innerJoin('sessions', 'sessions.user_id', 'users.id')
    .select([
      'sessions.created_at as session_created_at',
      'sessions.expires_at',
      'sessions.refresh_id',
      'sessions.used_refresh_ids',
      'sessions.rotated_at',
    ])
    .where('sessions.id', '=', id),
);
const updateRefreshId = compileOnce(
  (
    db,
    refreshId: string,
    used: string,
    rotatedAt: number,
    lastActiveAt: number,
    expiresAt: number,
    userAgent: string | null,
    ipAddress: string | null,
    id: string,
    presentedId: string,
  ) =>
    db
      .updateTable('sessions')
      .set({
        refresh_id: refreshId,
        used_refresh_ids: used,
        rotated_at: rotatedAt,
        last_active_at: lastActiveAt,
        expires_at: expiresAt,
        user_agent: userAgent,
        ip_address: ipAddress,
      })
      .where('id', '=', id)
      .where('refresh_id', '=', presentedId),
);

/** The session store on the service's database. */
export function sessionStore(db: Db): SessionStore {
  return {
    async create(session) {
      await db.insertInto('sessions').values(rowOf(session)).execute();
    },

    async find(id) {
      const row = await db
        .selectFrom('sessions')
        .selectAll()
        .where('id', '=', id)
        .executeTakeFirst();
      return row && sessionOf(row);
    },

    async findAccount(id) {
      const { rows } = await selectAccount(db, id);
      return rows[0] && accountOf(rows[0]);
    },

    async findWithAccount(id) {
      const { rows } = await selectWithAccount(db, id);
      const [row] = rows;
      if (!row) return undefined;
      const account = accountOf(row);
      const session = {
        id,
        userId: account.user.id,
        createdAt: row.session_created_at,
        expiresAt: row.expires_at,
        refreshId: row.refresh_id,
        usedRefreshIds: JSON.parse(row.used_refresh_ids),
        rotatedAt: row.rotated_at,
      };
      return { session, account };
    },

    async rotate(session, next) {
      const result = await updateRefreshId(
        db,
        next.refreshId,
        JSON.stringify(next.usedRefreshIds),
        next.rotatedAt,
        next.rotatedAt,
        next.expiresAt,
        next.userAgent,
        next.ipAddress,
        session.id,
        session.refreshId,
      );
      return result.numAffectedRows === 1n;
    },

    async listOfUser(userId) {
      const rows = await db
        .selectFrom('sessions')
        .selectAll()
        .where('user_id', '=', userId)
        .orderBy('last_active_at', 'desc')
        .orderBy('id')
        .execute();
      return rows.map(sessionOf);
    },

    async revoke(id, userId) {
      const result = await db
        .deleteFrom('sessions')
        .where('id', '=', id)
        .where('user_id', '=', userId)
        .executeTakeFirst();
      return result.numDeletedRows === 1n;
    },

    async revokeAllOfUser(userId, keptId) {
      // Of two that end them at once, each is to tell of those that it ended.
      const ofUser = db.selectFrom('sessions').select('id').where('user_id', '=', userId);
      const rows = await locked(ofUser).execute();
      const ended = rows.map((row) => row.id).filter((id) => id !== keptId);
      // By user and not by the list just read: a session opened meanwhile must end as well.
      const all = db.deleteFrom('sessions').where('user_id', '=', userId);
      await (keptId ? all.where('id', '!=', keptId) : all).execute();
      return ended;
    },

    async findExpired(time, after) {
      const next = db
        .selectFrom('sessions')
        .select(['id', 'expires_at'])
        .orderBy('id')
        .limit(CHUNK);
      const rows = await (after === undefined ? next : next.where('id', '>', after)).execute();
      const last = rows.at(-1)?.id;
      if (last === undefined) return undefined;
      const expired = rows.filter(({ expires_at }) => expires_at <= time);
      return { ids: expired.map(({ id }) => id), last };
    },

    async deleteExpired(ids, time) {
      const ended = db
        .selectFrom('sessions')
        .select(['id', 'user_id as userId'])
        .where('id', 'in', ids)
        .where('expires_at', '<=', time);
      // What another instance is deleting, it tells of: only what was read here is deleted here.
      const expired = await lockedUnlessHeld(ended).execute();
      const read = expired.map(({ id }) => id);
      if (read.length > 0) await db.deleteFrom('sessions').where('id', 'in', read).execute();
      return expired;
    },
  };
}
