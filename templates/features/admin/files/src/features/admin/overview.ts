import { sql } from 'kysely';
import * as z from 'zod';
import { countRows } from '../../db/pages.js';
import type { Db } from '../../db/schema.js';
import type { Route } from '../../http/route.js';
import { now } from '../../process/clock.js';
import { get } from './route.js';

const HOUR_MS = 60 * 60 * 1000;
const HOURS = 24;
const SUCCEEDED = 'identity.auth.login.success';
const FAILED = 'identity.auth.login.failed';

const Overview = z.object({
  /** The last 24 hours, the oldest first. */
  hours: z.array(z.object({ from: z.iso.datetime(), succeeded: z.number(), failed: z.number() })),
  /** Accounts created in that time. */
  newUsers: z.number(),
  /** Open sessions. */
  sessions: z.number(),
});

export type Overview = z.output<typeof Overview>;

export const overviewRoute: Route = get('/overview', {
  summary: 'Sign-ins by hour, new users and open sessions',
  permission: 'admin:access',
  reply: Overview,
  handle: async ({ services }) => ({ body: await overviewOf(services.db) }),
});

async function overviewOf(db: Db): Promise<Overview> {
  const first = (Math.floor(now() / HOUR_MS) - HOURS + 1) * HOUR_MS;
  const hours = Array.from({ length: HOURS }, (_, at) => ({
    from: new Date(first + at * HOUR_MS).toISOString(),
    succeeded: 0,
    failed: 0,
  }));
  const logged = db.selectFrom('audit_log').where('occurred_at', '>=', first);
  const byHour = await logged
    .where('action', 'in', [SUCCEEDED, FAILED])
    .select(['action', sql<number>`occurred_at - occurred_at % ${sql.lit(HOUR_MS)}`.as('hour')])
    .select(({ fn }) => fn.countAll().as('count'))
    .groupBy(['action', 'hour'])
    .execute();
  // Failures without a known user share an entry, which has their number.
  const shared = await logged
    .where('action', '=', FAILED)
    .where('details', 'like', '%"count":%')
    .select(['occurred_at as hour', 'action', 'details'])
    .execute();
  const more = shared.map((row) => ({ ...row, count: Number(JSON.parse(row.details).count) - 1 }));
  for (const { action, hour: time, count } of [...byHour, ...more]) {
    const hour = hours[Math.floor((Number(time) - first) / HOUR_MS)];
    if (hour) hour[action === FAILED ? 'failed' : 'succeeded'] += Number(count);
  }
  return {
    hours,
    newUsers: await countRows(db.selectFrom('users').where('created_at', '>=', first)),
    sessions: await countRows(db.selectFrom('sessions').where('expires_at', '>', now())),
  };
}
