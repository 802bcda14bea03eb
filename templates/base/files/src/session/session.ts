import type { Generated, Selectable } from 'kysely';

/** Times are ms since the epoch, ids are UUIDs. No refresh token is stored, only ids of them. */
export interface SessionTables {
  sessions: {
    id: string;
    user_id: string;
    /** How the user signed in: `local`, or another method's name. */
    method: string;
    created_at: number;
    /** When the user last proved who they are; freshness is measured from here. */
    authenticated_at: number;
    last_active_at: number;
    expires_at: number;
    /** The id (`jti`) of the one live refresh token. */
    refresh_id: string;
    /** A JSON list: ids of refresh tokens used up lately, each with the time of its first use. */
    used_refresh_ids: Generated<string>;
    rotated_at: number;
    user_agent: string | null;
    ip_address: string | null;
  };
}

declare module '../db/schema.js' {
  interface Database extends SessionTables {}
}

/**
 * The `jti` of a refresh token and when it was first used. A pair, since V8 makes a shape of its own
 * for every object whose keys are ids.
 */
export type UsedRefreshId = [id: string, usedAt: number];

/** One sign-in on one device. Times in ms. */
export interface Session {
  /** Also the `sid` claim and the handle that the owner ends it by; it opens nothing by itself. */
  id: string;
  userId: string;
  /** How the user got in: `local`, or another method's name. */
  method: string;
  createdAt: number;
  /** When the user last proved who they are. */
  authenticatedAt: number;
  lastActiveAt: number;
  expiresAt: number;
  /** The `jti` of the one live refresh token. */
  refreshId: string;
  /** Refresh tokens used up lately. */
  usedRefreshIds: UsedRefreshId[];
  rotatedAt: number;
  userAgent: string | null;
  ipAddress: string | null;
}

/** What of a session its tokens are made from. */
export type LiveSession = Pick<
  Session,
  'id' | 'userId' | 'createdAt' | 'expiresAt' | 'refreshId' | 'usedRefreshIds' | 'rotatedAt'
>;

export type Rotation = Pick<
  Session,
  'refreshId' | 'usedRefreshIds' | 'rotatedAt' | 'expiresAt' | 'userAgent' | 'ipAddress'
>;

/** A session from its row. */
export function sessionOf(row: Selectable<SessionTables['sessions']>): Session {
  return {
    id: row.id,
    userId: row.user_id,
    method: row.method,
    createdAt: row.created_at,
    authenticatedAt: row.authenticated_at,
    lastActiveAt: row.last_active_at,
    expiresAt: row.expires_at,
    refreshId: row.refresh_id,
    usedRefreshIds: JSON.parse(row.used_refresh_ids),
    rotatedAt: row.rotated_at,
    userAgent: row.user_agent,
    ipAddress: row.ip_address,
  };
}
