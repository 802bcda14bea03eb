import type { Db } from '../../db/schema.js';
import { randomId } from '../../random.js';
import type { ScriptOutcome } from './sandbox/run-script.js';

/** Runs that are kept of each webhook. */
const KEPT = 100;

/** One run of a script. Times in ms. */
export interface ScriptRun extends Pick<ScriptOutcome, 'log' | 'calls' | 'durationMs'> {
  id: string;
  startedAt: number;
  error: string | null;
  event: string | null;
}

export interface ToolsStore {
  /** Notes a run; the oldest beyond the hundredth is forgotten. */
  add(webhookId: string, run: Omit<ScriptRun, 'id'>): Promise<void>;
  /** The newest first. */
  list(
    webhookId: string,
    page: { limit: number; offset: number },
  ): Promise<{ runs: ScriptRun[]; total: number; failed: number }>;
}

/** The runs on the service's database. */
export function toolsStore(db: Db): ToolsStore {
  const of = (webhookId: string) =>
    db.selectFrom('webhook_runs').where('webhook_id', '=', webhookId);

  return {
    async add(webhookId, { startedAt, durationMs, error, event, log, calls }) {
      await db
        .insertInto('webhook_runs')
        .values({
          id: randomId(),
          webhook_id: webhookId,
          started_at: startedAt,
          duration_ms: durationMs,
          error,
          event,
          log: JSON.stringify(log),
          calls: JSON.stringify(calls),
        })
        .execute();
      const oldest = await of(webhookId)
        .select('started_at')
        .orderBy('started_at', 'desc')
        .limit(1)
        .offset(KEPT)
        .executeTakeFirst();
      if (!oldest) return;
      await db
        .deleteFrom('webhook_runs')
        .where('webhook_id', '=', webhookId)
        .where('started_at', '<=', oldest.started_at)
        .execute();
    },

    async list(webhookId, { limit, offset }) {
      const rows = await of(webhookId)
        .selectAll()
        .orderBy('started_at', 'desc')
        .orderBy('id')
        .limit(limit)
        .offset(offset)
        .execute();
      const { total, failed } = await of(webhookId)
        .select((of) => [
          of.fn.countAll<number>().as('total'),
          of.fn.count<number>('error').as('failed'),
        ])
        .executeTakeFirstOrThrow();
      const runs = rows.map((row) => ({
        id: row.id,
        startedAt: row.started_at,
        durationMs: row.duration_ms,
        error: row.error,
        event: row.event,
        log: JSON.parse(row.log),
        calls: JSON.parse(row.calls),
      }));
      return { runs, total: Number(total), failed: Number(failed) };
    },
  };
}
