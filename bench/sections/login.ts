import { compare, dealt, type Load, share } from '../load.js';
import { atLeast, atMost, microseconds, milliseconds, percent, type Row } from '../report.js';
import { startServer } from '../server.js';
import { addVisitors, bcryptCost, type Framework, startService } from '../service.js';

const visitors = 16;
const seconds = 4;
const goals = { login: 0.97, p99: { express: 10, fastify: 5, hono: 5 } };

/** CPU time of `/login` compared with bcrypt alone; then `/me` while 16 logins are always running. */
export async function measureLogin(
  load: Load,
  rounds: number,
  framework: Framework,
): Promise<Row[]> {
  await using service = await startService(framework);
  await using raw = await startServer('peers/bcrypt.mjs', '/', {
    COST: String(bcryptCost),
  });
  const own = await addVisitors(service.port, visitors);
  const logins = own.map(({ login }) => login);
  const costs = await compare(
    load,
    {
      raw: { server: raw, requests: [{ method: 'GET', path: '/' }] },
      login: { server: service, requests: logins },
    },
    { rounds, count: 200, seconds },
  );
  const { port } = service;
  const bounds = { port, count: 1_000_000, seconds };
  const me = own.slice(0, 1).map(({ meByBearer }) => meByBearer);
  const [beside] = await Promise.all([
    load.run({ requests: [me], ...bounds }),
    load.run({ requests: dealt(logins), ...bounds }),
  ]);
  return [
    {
      measure: `${framework}: POST /login, of raw bcrypt`,
      ours: `${microseconds(costs.login.cpu)}, ${costs.login.rate.toFixed(0)}/s`,
      against: `${microseconds(costs.raw.cpu)}, ${costs.raw.rate.toFixed(0)}/s`,
      ...atLeast(goals.login, share(costs.raw, costs.login), percent),
    },
    {
      measure: `${framework}: GET /me, p99 with 16 logins in flight`,
      ours: `p50 ${milliseconds(beside.p50)}`,
      ...atMost(goals.p99[framework], beside.p99, milliseconds),
    },
  ];
}
