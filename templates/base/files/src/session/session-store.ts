import { compileOnce } from '../db/queries.js';
import type { Db } from '../db/schema.js';
import { locked, lockedUnlessHeld } from '../db/sql.js';
import { type Account, accountOf, accountRow } from '../users/account.js';
import { type LiveSession, type Rotation, type Session, sessionOf } from './session.js';

/** Rows of one statement; below the number of parameters that every database takes. */
const PAGE = 500;

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

/** The session store of the specification. */
export function sessionStore(db: Db) {
  return {
    async create(session: Session): Promise<void> {
      await db
        .insertInto('sessions')
        .values({
          id: session.id,
          user_id: session.userId,
          method: session.method,
          created_at: session.createdAt,
          authenticated_at: session.authenticatedAt,
          last_active_at: session.lastActiveAt,
          expires_at: session.expiresAt,
          refresh_id: session.refreshId,
          rotated_at: session.rotatedAt,
          user_agent: session.userAgent,
          ip_address: session.ipAddress,
        })
        .execute();
    },

    async find(id: string): Promise<Session | undefined> {
      const row = await db
        .selectFrom('sessions')
        .selectAll()
        .where('id', '=', id)
        .executeTakeFirst();
      return row && sessionOf(row);
    },

    /** The account behind a session that exists, in one query. */
    async findAccount(id: string): Promise<Account | undefined> {
      const { rows } = await selectAccount(db, id);
      return rows[0] && accountOf(rows[0]);
    },

    /** What a refresh needs, session and account, in one query. */
    async findWithAccount(
      id: string,
    ): Promise<{ session: LiveSession; account: Account } | undefined> {
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

    /** Replaces the live refresh token; false if another request has done so since it was read. */
    async rotate(session: LiveSession, next: Rotation): Promise<boolean> {
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

    async listOfUser(userId: string): Promise<Session[]> {
      const rows = await db
        .selectFrom('sessions')
        .selectAll()
        .where('user_id', '=', userId)
        .orderBy('last_active_at', 'desc')
        .orderBy('id')
        .execute();
      return rows.map(sessionOf);
    },

    /** False if the session does not exist, or belongs to somebody else. */
    async revoke(id: string, userId: string): Promise<boolean> {
      const result = await db
        .deleteFrom('sessions')
        .where('id', '=', id)
        .where('user_id', '=', userId)
        .executeTakeFirst();
      return result.numDeletedRows === 1n;
    },

    /** Ends all sessions of a user but `keptId`; returns the ended ones' ids. */
    async revokeAllOfUser(userId: string, keptId?: string): Promise<string[]> {
      // Of two that end them at once, each is to tell of those that it ended.
      const ofUser = db.selectFrom('sessions').select('id').where('user_id', '=', userId);
      const rows = await locked(ofUser).execute();
      const ended = rows.map((row) => row.id).filter((id) => id !== keptId);
      // By user and not by the list just read: a session opened meanwhile must end as well.
      const all = db.deleteFrom('sessions').where('user_id', '=', userId);
      await (keptId ? all.where('id', '!=', keptId) : all).execute();
      return ended;
    },

    /** The next sessions by their ids, each with its end (ms); none after the last. */
    async page(after = ''): Promise<{ id: string; expiresAt: number }[]> {
      return db
        .selectFrom('sessions')
        .select(['id', 'expires_at as expiresAt'])
        .where('id', '>', after)
        .orderBy('id')
        .limit(PAGE)
        .execute();
    },

    /** Within a transaction: deletes those of the sessions that ended before `time` (ms); returns them. */
    async deleteExpired(ids: string[], time: number): Promise<{ id: string; userId: string }[]> {
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

export type SessionStore = ReturnType<typeof sessionStore>;
