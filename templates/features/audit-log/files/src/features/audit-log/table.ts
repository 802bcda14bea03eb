/** Times are ms since the epoch, ids are UUIDs. */
export interface AuditLogTables {
  audit_log: {
    id: string;
    occurred_at: number;
    /** The name of an event, or an administrator's request: `POST /users/{id}/disable`. */
    action: string;
    /** The user who did it; null if nobody was signed in. */
    actor_id: string | null;
    /** Whom or what it concerned: a user's id, or what the path of the request named. */
    target: string | null;
    /** A JSON object. */
    details: string;
    ip: string | null;
    user_agent: string | null;
    correlation_id: string | null;
  };
}
