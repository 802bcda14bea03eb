import { join } from 'node:path';
import { requestsOf } from '../accounts.js';
import { CONNECTIONS, compare, type Extent, overConnections, share } from '../compare.js';
import { databaseFile } from '../databases.js';
import { goalsOf, type Kind, reached, titleOf } from '../kinds.js';
import type { LoadGenerator } from '../load.js';
import { processFolder } from '../places.js';
import { microseconds, percent, type Row } from '../report.js';
import { seedDatabase } from '../seed.js';
import { startServer } from '../server.js';
import { startService } from '../service.js';

/** So many that a session is not refreshed again at once, as none is in life. */
const USERS = 4_000;
/** Clients that are busy with `/me`. */
const BUSY = 1_000;

/** `/me` against the bare framework and the least that it must do, `/refresh` against the least; by CPU. */
export async function measureMeAndRefresh(
  load: LoadGenerator,
  extent: Extent,
  kind: Kind,
): Promise<Row[]> {
  const users = (await seedDatabase('main', USERS, kind)).map(requestsOf);
  const busy = users.slice(0, BUSY);
  const service = await startService('main', kind);
  const peer = join(processFolder, `peers/${kind.framework}.mjs`);
  const hello = await startServer(peer, '/hello');
  const limit = await startServer(peer, '/hello', {
    DATABASE_FILE: databaseFile('refresh-limit', kind),
  });
  const all = <T>(request: T) => Array.from({ length: CONNECTIONS }, () => [request]);
  try {
    const costs = await compare(
      load,
      {
        hello: { server: hello, requests: all({ method: 'GET', path: '/hello' } as const) },
        meByCookie: {
          server: service,
          requests: overConnections(busy.map((user) => user.meByCookie)),
        },
        meByBearer: {
          server: service,
          requests: overConnections(busy.map((user) => user.meByBearer)),
        },
        meLimit: { server: limit, requests: all({ method: 'GET', path: '/me' } as const) },
        refreshLimit: {
          server: limit,
          requests: all({ method: 'POST', path: '/refresh' } as const),
        },
        refreshByCookie: {
          server: service,
          requests: overConnections(users.map((user) => user.refreshByCookie)),
        },
        refreshByBearer: {
          server: service,
          requests: overConnections(users.map((user) => user.refreshByBearer)),
        },
      },
      extent,
    );
    const goals = goalsOf(kind);
    const row = (
      measure: string,
      ours: (typeof costs)[keyof typeof costs],
      peer: typeof ours,
      goal?: number,
    ): Row => ({
      measure: `${titleOf(kind)}: ${measure}`,
      ours: `${microseconds(ours.cpu)} CPU, ${ours.rate.toFixed(0)}/s`,
      against: `${microseconds(peer.cpu)} CPU, ${peer.rate.toFixed(0)}/s`,
      result: percent(share(peer, ours)),
      ...reached(share(peer, ours), goal),
    });
    return [
      row('GET /me by cookie / bare hello', costs.meByCookie, costs.hello, goals?.me),
      row('GET /me by bearer / bare hello', costs.meByBearer, costs.hello, goals?.me),
      ...(goals
        ? [
            row('GET /me by cookie / its limit', costs.meByCookie, costs.meLimit),
            row('GET /me by bearer / its limit', costs.meByBearer, costs.meLimit),
            row('limit of GET /me / bare hello', costs.meLimit, costs.hello),
          ]
        : []),
      row(
        'POST /refresh by cookie / its limit',
        costs.refreshByCookie,
        costs.refreshLimit,
        goals?.refresh,
      ),
      row(
        'POST /refresh by bearer / its limit',
        costs.refreshByBearer,
        costs.refreshLimit,
        goals?.refresh,
      ),
    ];
  } finally {
    await Promise.all([service.stop(), hello.stop(), limit.stop()]);
  }
}
