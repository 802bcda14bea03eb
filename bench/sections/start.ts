import { setTimeout as wait } from 'node:timers/promises';
import { type Kind, titleOf } from '../kinds.js';
import { mebibytes, milliseconds, type Row } from '../report.js';
import { startService, startServiceAlone } from '../service.js';
import { median } from '../statistics.js';

const READY_GOAL_MS = 250;
const MEMORY_GOAL_MIB = 70;
/** Long enough for what is only done once to have been done; what the start has left lying about is still there. */
const IDLE_MS = 1_000;
/** V8 gives that back to the system when nothing has happened for a while. */
const LONG_IDLE_MS = 30_000;

/** From starting the built service, on a migrated database, until `/readyz` is 200; and its memory when idle, soon and later. */
export async function measureStart(rounds: number, kind: Kind): Promise<Row[]> {
  const times: number[] = [];
  const memories: number[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const start = performance.now();
    const alone = await startServiceAlone('main', kind);
    if (round > 0) times.push(performance.now() - start);
    await alone.stop();
    memories.push(await memoryAfter(IDLE_MS, kind));
  }
  const ready = median(times);
  return [
    {
      measure: `${titleOf(kind)}: start to ready`,
      ours: milliseconds(ready),
      against: '',
      result: milliseconds(ready),
      goal: `≤ ${milliseconds(READY_GOAL_MS)}`,
      isMet: ready <= READY_GOAL_MS,
    },
    memoryRow(kind, IDLE_MS, median(memories)),
    memoryRow(kind, LONG_IDLE_MS, await memoryAfter(LONG_IDLE_MS, kind)),
  ];
}

async function memoryAfter(idle: number, kind: Kind): Promise<number> {
  const service = await startService('main', kind);
  await wait(idle);
  const { memory } = await service.usage();
  await service.stop();
  return memory;
}

function memoryRow(kind: Kind, idle: number, memory: number): Row {
  return {
    measure: `${titleOf(kind)}: memory (RSS) after ${idle / 1000} s idle`,
    ours: mebibytes(memory),
    against: '',
    result: mebibytes(memory),
    goal: `≤ ${MEMORY_GOAL_MIB} MiB`,
    isMet: memory <= MEMORY_GOAL_MIB * 2 ** 20,
  };
}
