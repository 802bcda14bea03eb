import { setTimeout as wait } from 'node:timers/promises';
import { mebibytes, median, milliseconds, type Row } from '../report.js';
import { type Framework, startService } from '../service.js';

const readyGoalMs = 250;
const memoryGoal = 70 * 2 ** 20;
/** Long enough for one-time work to be done. */
const idleMs = 1_000;

/** The time from starting the built service, on a migrated database, until `/readyz` is 200; and its memory when idle. */
export async function measureStart(rounds: number, framework: Framework): Promise<Row[]> {
  const times: number[] = [];
  const memories: number[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const start = performance.now();
    const alone = await startService(framework, { isAlone: true });
    if (round > 0) times.push(performance.now() - start);
    await alone.stop();
    const service = await startService(framework);
    await wait(idleMs);
    memories.push((await service.usage()).memory);
    await service.stop();
  }
  const [ready, memory] = [median(times), median(memories)];
  const none = { against: '', ours: '' };
  return [
    {
      ...none,
      measure: `${framework}: start to ready`,
      result: milliseconds(ready),
      goal: `≤ ${milliseconds(readyGoalMs)}`,
      isMet: ready <= readyGoalMs,
    },
    {
      ...none,
      measure: `${framework}: memory (RSS) after 1 s idle`,
      result: mebibytes(memory),
      goal: `≤ ${mebibytes(memoryGoal)}`,
      isMet: memory <= memoryGoal,
    },
  ];
}
