import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import vm from 'node:vm';
import { type OwnServices, openOwnService } from '../own-service.js';
import { mebibytes, milliseconds, type Row } from '../report.js';
import { percentile } from '../statistics.js';

const SCRIPT =
  "const said = await actions['echo.say'](body); result = { event: 'a.b', data: said }";
const P50_GOAL_MS = 5;
const RATE_GOAL = 500;
const GROWTH_GOAL_MB = 20;
const IN_PARALLEL = 8;
const HEALTH_GOAL_MS = 100;
/** Loops, floods of promises, and memory without end. */
const HOSTILE_SCRIPTS = [
  'while (true) {}',
  'const flood = () => Promise.resolve().then(flood); await flood()',
  'const all = []; while (true) all.push(new Array(1e5).fill(all))',
  "let text = 'x'; while (true) text += text",
  'const deep = () => deep() + deep(); try { deep() } catch { deep() }',
];

/** Scripts with one action, against `vm` in the service's own process, which is no border at all. */
export async function measureSandbox(isQuick: boolean): Promise<Row[]> {
  const service = await openOwnService('sandbox');
  const { tools } = service.services.parts;
  const actions = new Map([['echo.say', async (input: unknown) => input]]);
  const job = { script: SCRIPT, body: { a: 1 }, actions, timeoutMs: 5_000 };
  const run = async (provider: string) => {
    const { error } = await tools.run(provider, job);
    if (error !== undefined) throw new Error(error);
  };
  try {
    await inParallel(200, (index) => run(`p${index % IN_PARALLEL}`));
    const p50 = percentile(await timesOf(isQuick ? 300 : 1_000, () => run('one')), 50);
    const count = isQuick ? 1_000 : 4_000;
    const rate = await rateOf(count, (index) => run(`p${index % IN_PARALLEL}`));
    const bareTimes = await timesOf(500, runInOwnProcess);
    const bareRate = await rateOf(1_000, runInOwnProcess);
    const growth = await growthOf(isQuick ? 2_000 : 10_000, (index) =>
      run(`p${index % IN_PARALLEL}`),
    );
    const underAttack = await timesUnderAttack(service.url, tools, isQuick ? 5_000 : 20_000);
    return [
      {
        measure: 'script with one action, p50',
        ours: milliseconds(p50),
        against: `${milliseconds(percentile(bareTimes, 50))}, vm in process`,
        result: milliseconds(p50),
        goal: `≤ ${P50_GOAL_MS} ms`,
        isMet: p50 <= P50_GOAL_MS,
      },
      {
        measure: `scripts, ${IN_PARALLEL} in parallel`,
        ours: `${rate.toFixed(0)}/s`,
        against: `${bareRate.toFixed(0)}/s, vm in process`,
        result: `${rate.toFixed(0)}/s`,
        goal: `≥ ${RATE_GOAL}/s`,
        isMet: rate >= RATE_GOAL,
      },
      {
        measure: `memory over ${isQuick ? '2,000' : '10,000'} scripts`,
        ours: mebibytes(growth),
        against: '',
        result: mebibytes(growth),
        goal: `< ${GROWTH_GOAL_MB} MB`,
        isMet: growth < GROWTH_GOAL_MB * 1e6,
      },
      {
        measure: `/healthz while ${IN_PARALLEL} hostile scripts run, slowest of ${underAttack.length}`,
        ours: milliseconds(Math.max(...underAttack)),
        against: `p50 ${milliseconds(percentile(underAttack, 50))}`,
        result: milliseconds(Math.max(...underAttack)),
        goal: `≤ ${HEALTH_GOAL_MS} ms`,
        isMet: Math.max(...underAttack) <= HEALTH_GOAL_MS,
      },
    ];
  } finally {
    await service.close();
  }
}

/** Times of `/healthz`, asked for every 20 ms while hostile scripts fill the pool. */
async function timesUnderAttack(
  url: string,
  tools: OwnServices['parts']['tools'],
  duration: number,
): Promise<number[]> {
  const end = performance.now() + duration;
  const attack = async (worker: number) => {
    for (let turn = worker; performance.now() < end; turn += 1) {
      const script = HOSTILE_SCRIPTS[turn % HOSTILE_SCRIPTS.length];
      const job = { script, body: {}, actions: new Map(), timeoutMs: 1_000 };
      await tools.run(`hostile${worker}`, job);
    }
  };
  const attacks = Array.from({ length: IN_PARALLEL }, (_, worker) => attack(worker));
  const times: number[] = [];
  while (performance.now() < end) {
    const start = performance.now();
    const { status } = await fetch(`${url}/healthz`);
    if (status !== 200) throw new Error(`/healthz answered ${status}.`);
    times.push(performance.now() - start);
    await sleep(20);
  }
  await Promise.all(attacks);
  return times;
}

async function runInOwnProcess(): Promise<void> {
  const context = vm.createContext({
    body: { a: 1 },
    actions: { 'echo.say': async (x: unknown) => x },
  });
  await vm.runInContext(`(async () => {${SCRIPT}\n})()`, context);
}

async function inParallel(count: number, run: (index: number) => Promise<void>): Promise<void> {
  let next = 0;
  const work = async () => {
    while (next < count) {
      next += 1;
      await run(next);
    }
  };
  await Promise.all(Array.from({ length: IN_PARALLEL }, work));
}

async function timesOf(count: number, run: () => Promise<void>): Promise<number[]> {
  const times: number[] = [];
  for (let each = 0; each < count; each += 1) {
    const start = performance.now();
    await run();
    times.push(performance.now() - start);
  }
  return times;
}

async function rateOf(count: number, run: (index: number) => Promise<void>): Promise<number> {
  const start = performance.now();
  await inParallel(count, run);
  return count / ((performance.now() - start) / 1000);
}

/** Resident memory that this process has more after than before. */
async function growthOf(count: number, run: (index: number) => Promise<void>): Promise<number> {
  const before = await settledMemory();
  await inParallel(count, run);
  return (await settledMemory()) - before;
}

/** Resident memory without what only waits to be collected; freed pages go back to the system some time later. */
async function settledMemory(): Promise<number> {
  setFlagsFromString('--expose-gc');
  const collectGarbage = vm.runInNewContext('gc');
  for (let turn = 0; turn < 3; turn += 1) {
    collectGarbage();
    await sleep(1_000);
  }
  return process.memoryUsage().rss;
}
