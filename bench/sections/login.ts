import { join } from 'node:path';
import { loginRequest, requestsOf } from '../accounts.js';
import { CONNECTIONS, compare, overConnections, share } from '../compare.js';
import { goalsOf, type Kind, reached, titleOf } from '../kinds.js';
import type { LoadGenerator } from '../load.js';
import { processFolder } from '../places.js';
import { microseconds, milliseconds, percent, type Row } from '../report.js';
import { seedDatabase } from '../seed.js';
import { startServer } from '../server.js';
import { BCRYPT_COST, startService } from '../service.js';

const USERS = 1_000;
const LOGIN_SECONDS = 4;

/** `/login` against bcrypt alone, by CPU; then `/me` while 16 logins are always under way. */
export async function measureLogin(
  load: LoadGenerator,
  rounds: number,
  kind: Kind,
): Promise<Row[]> {
  const users = await seedDatabase('login', USERS, kind);
  const service = await startService('login', kind);
  const raw = await startServer(join(processFolder, 'peers/bcrypt-limit.mjs'), '/', {
    COST: String(BCRYPT_COST),
  });
  const logins = overConnections(users.map(loginRequest));
  try {
    const costs = await compare(
      load,
      {
        raw: {
          server: raw,
          requests: Array.from({ length: CONNECTIONS }, () => [
            { method: 'GET', path: '/' } as const,
          ]),
        },
        login: { server: service, requests: logins },
      },
      { rounds, count: 200, seconds: LOGIN_SECONDS },
    );
    const goals = goalsOf(kind);
    const underLoad = await meBesideLogins();
    return [
      {
        measure: `${titleOf(kind)}: POST /login / raw bcrypt`,
        ours: `${microseconds(costs.login.cpu)} CPU, ${costs.login.rate.toFixed(0)}/s`,
        against: `${microseconds(costs.raw.cpu)} CPU, ${costs.raw.rate.toFixed(0)}/s`,
        result: percent(share(costs.raw, costs.login)),
        ...reached(share(costs.raw, costs.login), goals?.login),
      },
      {
        measure: `${titleOf(kind)}: GET /me, p99 with 16 logins in flight`,
        ours: `p50 ${milliseconds(underLoad.p50)}, p99 ${milliseconds(underLoad.p99)}`,
        against: '',
        result: milliseconds(underLoad.p99),
        ...(goals
          ? { goal: `≤ ${milliseconds(goals.p99)}`, isMet: underLoad.p99 <= goals.p99 }
          : { goal: '' }),
      },
    ];
  } finally {
    await Promise.all([service.stop(), raw.stop()]);
  }

  /** One client asks for `/me`, one request after the other, as long as the logins go on. */
  async function meBesideLogins() {
    const me = users.slice(0, 1).map((user) => requestsOf(user).meByBearer);
    const { port } = service;
    const bounds = { count: 1_000_000, seconds: LOGIN_SECONDS };
    const [beside] = await Promise.all([
      load.run({ port, requests: [me], ...bounds }),
      load.run({ port, requests: logins, ...bounds }),
    ]);
    return beside;
  }
}
