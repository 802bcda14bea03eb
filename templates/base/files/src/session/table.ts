import type { Generated } from 'kysely';

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
