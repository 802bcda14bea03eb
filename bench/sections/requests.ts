import { join } from 'node:path';
import { type Cost, compare, type Load, type LoadRequest, share } from '../load.js';
import { atLeast, microseconds, percent, type Row } from '../report.js';
import { startServer, workFolder } from '../server.js';
import { addVisitors, type Framework, startService } from '../service.js';

/** Each costs three hashes before the first round. */
const visitors = 64;

/** The goals for `/me` and `/refresh`, as shares of the floor's CPU. */
const goals = {
  express: { me: 0.85, refresh: 0.6 },
  fastify: { me: 0.8, refresh: 0.5 },
  hono: { me: 0.8, refresh: 0.5 },
};

/** CPU time of `/me` and `/refresh`: the bare framework, the same written by hand, and ours. */
export async function measureRequests(
  load: Load,
  rounds: number,
  framework: Framework,
): Promise<Row[]> {
  await using service = await startService(framework);
  await using floor = await startServer(`floors/${framework}.mjs`, '/hello', {
    DATABASE_FILE: join(workFolder, `floor-${framework}-${process.pid}.db`),
  });
  const own = await addVisitors(service.port, visitors);
  const answer = await fetch(`http://127.0.0.1:${floor.port}/tokens`);
  const tokens = (await answer.json()) as { accessToken: string; refreshToken: string }[];
  const json = { 'Content-Type': 'application/json' };
  const ours = (requests: LoadRequest[]) => ({ server: service, requests });
  const byHand = (requests: LoadRequest[]) => ({ server: floor, requests });
  const me = (headers: Record<string, string>) =>
    ({ method: 'GET', path: '/me', headers }) as const;
  const refresh = { method: 'POST', path: '/refresh', headers: json } as const;
  const body = '{"refreshToken":"{token}"}';
  const costs = await compare(
    load,
    {
      hello: byHand([{ method: 'GET', path: '/hello' }]),
      floorMeByBearer: byHand(
        tokens.map(({ accessToken }) => me({ Authorization: `Bearer ${accessToken}` })),
      ),
      floorMeByCookie: byHand(
        tokens.map(({ accessToken }) => me({ Cookie: `accessToken=${accessToken}` })),
      ),
      floorRefresh: byHand(tokens.map(({ refreshToken: token }) => ({ ...refresh, body, token }))),
      meByBearer: ours(own.map(({ meByBearer }) => meByBearer)),
      meByCookie: ours(own.map(({ meByCookie }) => meByCookie)),
      refreshByBearer: ours(own.map(({ refreshByBearer }) => refreshByBearer)),
      refreshByCookie: ours(own.map(({ refreshByCookie }) => refreshByCookie)),
    },
    { rounds, count: 12_000, seconds: 3 },
  );
  const row = (measure: string, cost: Cost, limit: Cost, goal: number): Row => ({
    measure: `${framework}: ${measure}, of the floor`,
    ours: `${microseconds(cost.cpu)}, ${percent(share(costs.hello, cost))} of hello`,
    against: `${microseconds(limit.cpu)}, ${percent(share(costs.hello, limit))} of hello`,
    ...atLeast(goal, share(limit, cost), percent),
  });
  const goal = goals[framework];
  return [
    row('GET /me by bearer', costs.meByBearer, costs.floorMeByBearer, goal.me),
    row('GET /me by cookie', costs.meByCookie, costs.floorMeByCookie, goal.me),
    row('POST /refresh by bearer', costs.refreshByBearer, costs.floorRefresh, goal.refresh),
    row('POST /refresh by cookie', costs.refreshByCookie, costs.floorRefresh, goal.refresh),
  ];
}
