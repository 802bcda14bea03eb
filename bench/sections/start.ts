import { setTimeout as wait } from 'node:timers/promises';
import { type Kind, titleOf } from '../kinds.js';
import { mebibytes, milliseconds, type Row } from '../report.js';
import { startService, startServiceAlone } from '../service.js';
import { median } from '../statistics.js';

const READY_GOAL_MS = 250;
const MEMORY_GOAL_MIB = 70;
/** Long enough for what is only done once to have been done. */
const IDLE_MS = 1_000;

/** From starting the built service, on a migrated database, until `/readyz` is 200; and its memory when idle. */
export async function measureStart(rounds: number, kind: Kind): Promise<Row[]> {
  const times: number[] = [];
  const memories: number[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const start = performance.now();
    const alone = await startServiceAlone('main', kind);
    if (round > 0) times.push(performance.now() - start);
    await alone.stop();
    const service = await startService('main', kind);
    await wait(IDLE_MS);
    memories.push((await service.usage()).memory);
    await service.stop();
  }
  const ready = median(times);
  const idle = median(memories);
  return [
    {
      measure: `${titleOf(kind)}: start to ready`,
      ours: milliseconds(ready),
      against: '',
      result: milliseconds(ready),
      goal: `≤ ${milliseconds(READY_GOAL_MS)}`,
      isMet: ready <= READY_GOAL_MS,
    },
    {
      measure: `${titleOf(kind)}: idle memory (RSS)`,
      ours: mebibytes(idle),
      against: '',
      result: mebibytes(idle),
      goal: `≤ ${MEMORY_GOAL_MIB} MiB`,
      isMet: idle <= MEMORY_GOAL_MIB * 2 ** 20,
    },
  ];
}
