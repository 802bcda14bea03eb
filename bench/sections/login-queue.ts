import type { Load } from '../load.js';
import { atMost, milliseconds, type Row } from '../report.js';
import { addVisitors, type Framework, startService } from '../service.js';

const flood = 260;
/** The default of a service: about 15 hashes a second on four cores. */
const cost = '12';
/** A hash that has started is finished, so the last responses come a little after the two seconds. */
const goals = { longest: 2_250, p99: { express: 10, fastify: 5, hono: 5 } };

/** 260 sign-ins at once: how long the last one waits, how many get a `503`, and `/me` meanwhile. */
export async function measureLoginQueue(load: Load, framework: Framework): Promise<Row[]> {
  await using service = await startService(framework, { variables: { BCRYPT_COST: cost } });
  const [visitor] = await addVisitors(service.port, 1);
  if (!visitor) throw new Error('Nobody was registered.');
  const { login, meByBearer } = visitor;
  const signIn = async () => {
    const start = performance.now();
    const { method, headers = {}, body = '' } = login;
    const answer = await fetch(`http://127.0.0.1:${service.port}${login.path}`, {
      method,
      headers,
      body,
    });
    await answer.arrayBuffer();
    if (answer.status === 503 && !answer.headers.has('retry-after')) throw new Error('503 alone');
    return { status: answer.status, ms: performance.now() - start };
  };
  const { port } = service;
  const [beside, answers] = await Promise.all([
    load.run({ port, requests: [[meByBearer]], count: 1_000_000, seconds: 3 }),
    Promise.all(Array.from({ length: flood }, signIn)),
  ]);
  const longest = Math.max(...answers.map(({ ms }) => ms));
  const count = (status: number) => answers.filter((each) => each.status === status).length;
  const isWhole = count(200) + count(503) === flood;
  return [
    {
      measure: `${framework}: ${flood} × POST /login at once, cost ${cost}`,
      ours: `${count(200)} × 200, ${count(503)} × 503`,
      ...atMost(goals.longest, isWhole ? longest : Number.NaN, milliseconds),
    },
    {
      measure: `${framework}: GET /me, p99 meanwhile`,
      ours: `p50 ${milliseconds(beside.p50)}`,
      ...atMost(goals.p99[framework], beside.p99, milliseconds),
    },
  ];
}
