import { setTimeout as wait } from 'node:timers/promises';
import { atMost, mebibytes, median, milliseconds, type Row } from '../report.js';
import { type Server, startServer } from '../server.js';
import { type Framework, startService } from '../service.js';

const readyGoalMs = 250;
const memoryGoal = 70 * 2 ** 20;
/** Long enough for one-time work to be done. */
const idleMs = 1_000;

/**
 * The time from starting the built service, on a migrated database, until `/readyz` is 200; and its memory when idle, beside
 * that of the floor, which has two routes and the same framework, driver and tokens.
 */
export async function measureStart(rounds: number, framework: Framework): Promise<Row[]> {
  const readies: number[] = [];
  const memories: number[] = [];
  const floors: number[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const ready = await timeToReady(framework);
    if (round > 0) readies.push(ready);
    memories.push(await idleMemory(startService(framework)));
    floors.push(await idleMemory(startFloor(framework)));
  }
  return [
    {
      measure: `${framework}: start to ready`,
      ...atMost(readyGoalMs, median(readies), milliseconds),
    },
    {
      measure: `${framework}: memory (RSS) after 1 s idle`,
      against: `${mebibytes(median(floors))}, the floor`,
      ...atMost(memoryGoal, median(memories), mebibytes),
    },
  ];
}

async function timeToReady(framework: Framework): Promise<number> {
  const start = performance.now();
  await using _service = await startService(framework, { isAlone: true });
  return performance.now() - start;
}

function startFloor(framework: Framework): Promise<Server> {
  return startServer(`floors/${framework}.mjs`, '/hello', {
    DATABASE_FILE: ':memory:',
    USERS: '0',
  });
}

async function idleMemory(starting: Promise<Server>): Promise<number> {
  await using server = await starting;
  await wait(idleMs);
  return (await server.usage()).memory;
}
