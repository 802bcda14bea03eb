import type { Db } from '../../db/schema.js';
import { randomId, randomInt } from '../../process/random.js';
import type { ScriptOutcome } from './sandbox/run-script.js';

/** How many runs of each webhook are shown. */
const KEPT = 100;

declare module '../../db/schema.js' {
  interface Database {
    webhook_runs: {
      id: string;
      webhook_id: string;
      /** ms since the epoch. */
      started_at: number;
      /** A `ScriptRun` as JSON: it is only ever read whole. */
      run: string;
    };
  }
}

/** What a run of a script did, without its result. */
interface ScriptRun extends Omit<ScriptOutcome, 'result'> {
  /** The event that was emitted, if any. */
  event: string | null;
}

export function toolsStore(db: Db) {
  const runsOf = (webhookId: string) =>
    db.selectFrom('webhook_runs').where('webhook_id', '=', webhookId);

  return {
    /** Adds a run; one time in twenty, deletes the oldest beyond the hundredth. */
    async add(webhookId: string, startedAt: number, run: ScriptRun): Promise<void> {
      const row = { id: randomId(), webhook_id: webhookId, started_at: startedAt };
      const insert = db.insertInto('webhook_runs');
      await insert.values({ ...row, run: JSON.stringify(run) }).execute();
      if (randomInt(20) > 0) return;
      const newest = runsOf(webhookId).select('started_at').orderBy('started_at', 'desc');
      const surplus = await newest.limit(1).offset(KEPT).executeTakeFirst();
      if (!surplus) return;
      const runs = db.deleteFrom('webhook_runs').where('webhook_id', '=', webhookId);
      await runs.where('started_at', '<=', surplus.started_at).execute();
    },

    /** The newest first. Times in ms. */
    async list(webhookId: string) {
      const newest = runsOf(webhookId)
        .select(['id', 'started_at as startedAt', 'run'])
        .orderBy('started_at', 'desc')
        .orderBy('id')
        .limit(KEPT);
      return (await newest.execute()).map(({ run, ...row }) => {
        const read: ScriptRun = JSON.parse(run);
        return { ...row, ...read };
      });
    },
  };
}
