import type { Db } from '../../db/schema.js';
import { randomId } from '../../process/random.js';
import type { ScriptOutcome } from './sandbox/run-script.js';

/** How many runs of each webhook are kept. */
const KEPT = 100;

declare module '../../db/schema.js' {
  /** Times are ms since the epoch. */
  interface Database {
    webhook_runs: {
      id: string;
      webhook_id: string;
      started_at: number;
      duration_ms: number;
      /** Null if the script completed. */
      error: string | null;
      /** The event that was emitted, if any. */
      event: string | null;
      /** A JSON list of lines. */
      log: string;
      /** A JSON list of called actions, each with its success. */
      calls: string;
    };
  }
}

/** One run of a script. Times in ms. */
interface ScriptRun extends Pick<ScriptOutcome, 'log' | 'calls' | 'durationMs'> {
  id: string;
  startedAt: number;
  error: string | null;
  event: string | null;
}

export function toolsStore(db: Db) {
  const runsOf = (webhookId: string) =>
    db.selectFrom('webhook_runs').where('webhook_id', '=', webhookId);

  return {
    /** Adds a run, and deletes the oldest beyond the hundredth. */
    async add(webhookId: string, run: Omit<ScriptRun, 'id'>): Promise<void> {
      const { startedAt, durationMs, log, calls, ...ending } = run;
      const row = {
        ...ending,
        id: randomId(),
        webhook_id: webhookId,
        started_at: startedAt,
        duration_ms: durationMs,
        log: JSON.stringify(log),
        calls: JSON.stringify(calls),
      };
      await db.insertInto('webhook_runs').values(row).execute();
      const newest = runsOf(webhookId).select('started_at').orderBy('started_at', 'desc');
      const surplus = await newest.limit(1).offset(KEPT).executeTakeFirst();
      if (!surplus) return;
      await db
        .deleteFrom('webhook_runs')
        .where('webhook_id', '=', webhookId)
        .where('started_at', '<=', surplus.started_at)
        .execute();
    },

    /** The newest first. */
    async list(webhookId: string): Promise<ScriptRun[]> {
      const newest = runsOf(webhookId)
        .select(['id', 'started_at as startedAt', 'duration_ms as durationMs'])
        .select(['error', 'event', 'log', 'calls'])
        .orderBy('started_at', 'desc')
        .orderBy('id');
      return (await newest.execute()).map(({ log, calls, ...run }) => {
        return { ...run, log: JSON.parse(log), calls: JSON.parse(calls) };
      });
    },
  };
}
