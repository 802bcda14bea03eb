import { join } from 'node:path';
import { type Contestant, type Cost, compare, dealt, type Load, share } from '../load.js';
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
  const ours = (requests: Contestant['requests']) => ({ server: service, requests });
  const byHand = (requests: Contestant['requests']) => ({ server: floor, requests });
  const me = (headers: Record<string, string>) =>
    ({ method: 'GET', path: '/me', headers }) as const;
  const costs = await compare(
    load,
    {
      hello: byHand(dealt([{ method: 'GET', path: '/hello' }])),
      floorMeByBearer: byHand(
        dealt(tokens.map(({ accessToken }) => me({ Authorization: `Bearer ${accessToken}` }))),
      ),
      floorMeByCookie: byHand(
        dealt(tokens.map(({ accessToken }) => me({ Cookie: `accessToken=${accessToken}` }))),
      ),
      floorRefresh: byHand(
        dealt(
          tokens.map(({ refreshToken: token }) => ({
            method: 'POST',
            path: '/refresh',
            headers: json,
            body: '{"refreshToken":"{token}"}',
            token,
          })),
        ),
      ),
      meByBearer: ours(dealt(own.map(({ meByBearer }) => meByBearer))),
      meByCookie: ours(dealt(own.map(({ meByCookie }) => meByCookie))),
      refreshByBearer: ours(dealt(own.map(({ refreshByBearer }) => refreshByBearer))),
      refreshByCookie: ours(dealt(own.map(({ refreshByCookie }) => refreshByCookie))),
    },
    { rounds, count: 12_000, seconds: 3 },
  );
  const row = (measure: string, cost: Cost, limit: Cost, goal: number): Row => ({
    measure: `${framework}: ${measure}, of the floor`,
    ours: `${microseconds(cost.cpu)}, ${percent(share(costs.hello, cost))} of hello`,
    against: `${microseconds(limit.cpu)}, ${percent(share(costs.hello, limit))} of hello`,
    ...atLeast(goal, share(limit, cost), percent),
  });
  const { me: meGoal, refresh } = goals[framework];
  return [
    row('GET /me by bearer', costs.meByBearer, costs.floorMeByBearer, meGoal),
    row('GET /me by cookie', costs.meByCookie, costs.floorMeByCookie, meGoal),
    row('POST /refresh by bearer', costs.refreshByBearer, costs.floorRefresh, refresh),
    row('POST /refresh by cookie', costs.refreshByCookie, costs.floorRefresh, refresh),
  ];
}
