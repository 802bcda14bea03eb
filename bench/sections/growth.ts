import { requestsOf } from '../accounts.js';
import { compare, type Extent, overConnections, share } from '../compare.js';
import type { LoadGenerator } from '../load.js';
import { microseconds, type Row } from '../report.js';
import { seedDatabase } from '../seed.js';
import { startService } from '../service.js';

const GOAL = 1.1;
const FEW = 1_000;
const MANY = 100_000;

/** `/me` of users out of 1,000 and out of 100,000: look-ups by index cost the same. */
export async function measureGrowth(load: LoadGenerator, extent: Extent): Promise<Row[]> {
  const few = await seedDatabase('few', FEW);
  const many = await seedDatabase('many', MANY);
  const [small, large] = await Promise.all([startService('few'), startService('many')]);
  try {
    const costs = await compare(
      load,
      {
        few: { server: small, requests: meOf(few) },
        many: { server: large, requests: meOf(many.filter((_user, index) => index % 100 === 0)) },
      },
      extent,
    );
    const ratio = 1 / share(costs.few, costs.many);
    return [
      {
        measure: 'GET /me, 100,000 users / 1,000 users',
        ours: `${microseconds(costs.many.cpu)} CPU`,
        against: `${microseconds(costs.few.cpu)} CPU`,
        result: `${ratio.toFixed(2)} ×`,
        goal: `≤ ${GOAL} ×`,
        isMet: ratio <= GOAL,
      },
    ];
  } finally {
    await Promise.all([small.stop(), large.stop()]);
  }
}

function meOf(users: Awaited<ReturnType<typeof seedDatabase>>) {
  return overConnections(users.map((user) => requestsOf(user).meByBearer));
}
