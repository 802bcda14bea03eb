/** Times are ms since the epoch, ids are UUIDs. */
export interface ToolsTables {
  webhook_runs: {
    id: string;
    webhook_id: string;
    started_at: number;
    duration_ms: number;
    /** Null if the script came to its end. */
    error: string | null;
    /** The event that was emitted, if any. */
    event: string | null;
    /** A JSON list of lines. */
    log: string;
    /** A JSON list of actions with their success. */
    calls: string;
  };
}
