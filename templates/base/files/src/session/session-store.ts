import type { Generated } from 'kysely';
import { affectsRow, compileOnce } from '../db/queries.js';
import type { Db } from '../db/schema.js';
import { locked } from '../db/sql.js';
import { now } from '../process/clock.js';
import { type Account, accountOf, accountRow } from '../users/account.js';
import type { VerifiedFactors } from './reauthentication.js';

declare module '../db/schema.js' {
  /** Times are ms since the epoch, ids are UUIDs. No refresh token is stored, only ids of them. */
  interface Database {
    sessions: {
      /** Also the `sid` claim and the handle by which the owner ends the session; grants no access by itself. */
      id: string;
      user_id: string;
      /** A JSON object, `VerifiedFactors`: the factors of the sign-in, and those verified since. */
      factors: string;
      created_at: number;
      /** When the live refresh token was issued. */
      last_active_at: number;
      expires_at: number;
      /** The id (`jti`) of the one live refresh token. */
      refresh_id: string;
      used_refresh_ids: Generated<string>;
      user_agent: string | null;
      ip_address: string | null;
    };
  }
}

const columns = [
  'sessions.user_id as userId',
  'sessions.created_at as createdAt',
  'sessions.last_active_at as lastActiveAt',
  'sessions.expires_at as expiresAt',
  'sessions.user_agent as userAgent',
  'sessions.ip_address as ipAddress',
] as const;

/** Sessions that have not expired, without their tokens, for a query to narrow down. */
export function sessionRows(db: Db) {
  const rows = db.selectFrom('sessions').where('sessions.expires_at', '>', now());
  return rows.select('sessions.id').select(columns);
}

export type Session = Awaited<
  ReturnType<ReturnType<typeof sessionRows>['executeTakeFirstOrThrow']>
>;

/**
 * The `jti` of a refresh token and when it was first used. A pair, since V8 makes a hidden class
 * for every object whose keys are ids.
 */
export type UsedRefreshId = [id: string, usedAt: number];

interface VerifiedSession extends Session {
  factors: VerifiedFactors;
}

/** A session with the data that its tokens are made from. */
export interface LiveSession extends VerifiedSession {
  refreshId: string;
  usedRefreshIds: UsedRefreshId[];
}

export type Rotation = Omit<LiveSession, 'id' | 'userId' | 'createdAt' | 'factors'>;

/** Expired sessions per transaction, during which others may wait. */
const BATCH = 100;

const selectAccount = compileOnce((db, { id }: { id: string }) =>
  accountRow(db)
    .innerJoin('sessions', 'sessions.user_id', 'users.id')
    .where('sessions.id', '=', id),
);
const selectWithAccount = compileOnce((db, { id }: { id: string }) =>
  accountRow(db)
    .innerJoin('sessions', 'sessions.user_id', 'users.id')
    .select(columns)
    .select(['factors', 'refresh_id as refreshId', 'used_refresh_ids as usedRefreshIds'])
    .where('sessions.id', '=', id),
);
type RotatedRow = ReturnType<typeof rotatedRow> & { id: string; presentedId: string };
const updateRefreshId = compileOnce((db, { id, presentedId, ...changed }: RotatedRow) =>
  db
    .updateTable('sessions')
    .set(changed)
    .where('id', '=', id)
    .where('refresh_id', '=', presentedId),
);

function rotatedRow(next: Rotation) {
  return {
    refresh_id: next.refreshId,
    used_refresh_ids: JSON.stringify(next.usedRefreshIds),
    last_active_at: next.lastActiveAt,
    expires_at: next.expiresAt,
    user_agent: next.userAgent,
    ip_address: next.ipAddress,
  };
}

export function sessionStore(db: Db) {
  return {
    async create(session: LiveSession): Promise<void> {
      await db
        .insertInto('sessions')
        .values({
          id: session.id,
          user_id: session.userId,
          factors: JSON.stringify(session.factors),
          created_at: session.createdAt,
          ...rotatedRow(session),
        })
        .execute();
    },

    async find(id: string): Promise<VerifiedSession | undefined> {
      const row = await sessionRows(db).select('factors').where('id', '=', id).executeTakeFirst();
      return row && { ...row, factors: JSON.parse(row.factors) };
    },

    /** Within a transaction: records that a factor has just been verified, unless the session has ended. */
    async addFactor(id: string, name: string): Promise<void> {
      const factors = db.selectFrom('sessions').select('factors').where('id', '=', id);
      // Locked, so that of two factors verified at once none is lost.
      const row = await locked(factors).executeTakeFirst();
      if (!row) return;
      const shown: VerifiedFactors = { ...JSON.parse(row.factors), [name]: now() };
      const session = db.updateTable('sessions').where('id', '=', id);
      await session.set({ factors: JSON.stringify(shown) }).execute();
    },

    async findAccount(id: string): Promise<Account | undefined> {
      const { rows } = await selectAccount(db, { id });
      return rows[0] && accountOf(rows[0]);
    },

    /** What a refresh needs, session and account, in one query. */
    async findWithAccount(
      id: string,
    ): Promise<{ session: LiveSession; account: Account } | undefined> {
      const [row] = (await selectWithAccount(db, { id })).rows;
      if (!row) return undefined;
      const factors: VerifiedFactors = JSON.parse(row.factors);
      const usedRefreshIds: UsedRefreshId[] = JSON.parse(row.usedRefreshIds);
      return { session: { ...row, id, factors, usedRefreshIds }, account: accountOf(row) };
    },

    /** Replaces the live refresh token; false if another request has done so since it was read. */
    async rotate(session: LiveSession, next: Rotation): Promise<boolean> {
      const { id, refreshId: presentedId } = session;
      const result = await updateRefreshId(db, { id, presentedId, ...rotatedRow(next) });
      return result.numAffectedRows === 1n;
    },

    async listOfUser(userId: string): Promise<Session[]> {
      const ofUser = sessionRows(db).where('user_id', '=', userId);
      return ofUser.orderBy('last_active_at', 'desc').orderBy('id').execute();
    },

    /** The ids of a user's sessions except the `most` most recently active ones. */
    async idsBeyond(userId: string, most: number): Promise<string[]> {
      const ofUser = sessionRows(db).where('user_id', '=', userId);
      const beyond = ofUser.orderBy('last_active_at', 'desc').limit(BATCH).offset(most);
      return (await beyond.execute()).map(({ id }) => id);
    },

    /** False if the session does not exist, has expired, or belongs to somebody else. */
    async revoke(id: string, userId: string): Promise<boolean> {
      const session = db
        .deleteFrom('sessions')
        .where('id', '=', id)
        .where('expires_at', '>', now());
      return affectsRow(session.where('user_id', '=', userId));
    },

    /** Ends all sessions of a user except `keptId`; returns the ids of those that it ended. */
    async revokeAllOfUser(userId: string, keptId?: string): Promise<string[]> {
      // Locked, so that of two parallel calls each returns only the sessions that it ended.
      const ofUser = db.selectFrom('sessions').select('id').where('user_id', '=', userId);
      const rows = await locked(ofUser).execute();
      const ended = rows.map((row) => row.id).filter((id) => id !== keptId);
      // By user and not by the list just read: a session opened meanwhile must end as well.
      const all = db.deleteFrom('sessions').where('user_id', '=', userId);
      await (keptId ? all.where('id', '!=', keptId) : all).execute();
      return ended;
    },

    /** Within a transaction: deletes some of the sessions that ended before `time` (ms); returns them. */
    async deleteExpired(time: number): Promise<{ id: string; userId: string }[]> {
      const ended = db.selectFrom('sessions').where('expires_at', '<=', time);
      const found = await ended.select('id').limit(BATCH).execute();
      if (found.length === 0) return [];
      const ids = found.map(({ id }) => id);
      // Locked by id, since some databases lock every row that they look at; what another instance deleted is gone by then.
      const still = ended.select(['id', 'user_id as userId']).where('id', 'in', ids);
      const expired = await locked(still).execute();
      const stale = db.deleteFrom('sessions').where('expires_at', '<=', time);
      await stale.where('id', 'in', ids).execute();
      return expired;
    },
  };
}
