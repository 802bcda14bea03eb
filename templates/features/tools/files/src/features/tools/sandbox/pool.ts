import { availableParallelism } from 'node:os';
import pLimit, { type LimitFunction } from 'p-limit';
import { refuse } from '../../../http/errors.js';
import { monotonicTime } from '../../../process/clock.js';
import type { Log } from '../../../process/log.js';
import { runScript, type ScriptJob, type ScriptOutcome } from './run-script.js';
import {
  type Launch,
  launches,
  type SandboxProcess,
  startSandboxProcess,
} from './sandbox-process.js';

const MOST_PROCESSES = Math.max(8, 2 * availableParallelism());
/** Runs of one owner at once: two greedy owners leave room for others. */
const MOST_RUNS_OF_OWNER = Math.floor((MOST_PROCESSES - 1) / 2);
const MOST_WAITING_OF_OWNER = 32;
const LONGEST_WAIT_MS = 4_000;
/** Compiling takes milliseconds, but at low priority on a busy machine seconds. */
const CHECK_MS = 10_000;
/** A process is replaced after this many runs, or this long at work: scripts may leave something behind in it. */
const RUNS_OF_PROCESS = 200;
const WORK_MS_OF_PROCESS = 20_000;

interface Worker {
  sandbox: SandboxProcess;
  /** The owner whose scripts it runs until it ends: another owner's script must not find what they leave behind. */
  owner: string | undefined;
  isTaken: boolean;
  runs: number;
  workMs: number;
}

export type SandboxPool = ReturnType<typeof createSandboxPool>;

/** Processes that run scripts, started on demand, each for one script at a time and one owner. */
export function createSandboxPool(log: Log) {
  const workers = new Set<Worker>();
  const underWay = new Set<Promise<unknown>>();
  /** The scripts of all owners, in the order of their turns. */
  const turns = pLimit(MOST_PROCESSES);
  // Small, one for each owner, and never removed.
  const queues = new Map<string, LimitFunction>();
  let launch: Promise<Launch> | undefined;
  let warmedUp: Promise<unknown> | undefined;
  let starting = 0;

  function track<T>(work: Promise<T>): Promise<T> {
    underWay.add(work);
    return work.finally(() => underWay.delete(work));
  }

  /** Undefined if the script did not run: too many wait, or its turn came too late. */
  async function run(owner: string, job: ScriptJob): Promise<ScriptOutcome | undefined> {
    const queue = queues.get(owner) ?? pLimit(MOST_RUNS_OF_OWNER);
    queues.set(owner, queue);
    if (queue.pendingCount >= MOST_WAITING_OF_OWNER) return undefined;
    const latest = monotonicTime() + LONGEST_WAIT_MS;
    return queue(() =>
      turns(async () => (monotonicTime() < latest ? runNow(owner, job) : undefined)),
    );
  }

  async function runNow(owner: string, job: ScriptJob): Promise<ScriptOutcome | undefined> {
    await warmedUp;
    const worker = takeIdle(owner) ?? (await startWorker(owner));
    if (!worker) return undefined;
    const { outcome, isClean } = await runScript(worker.sandbox, job);
    worker.isTaken = false;
    worker.runs += 1;
    worker.workMs += outcome.durationMs;
    const isUsedUp = worker.runs >= RUNS_OF_PROCESS || worker.workMs >= WORK_MS_OF_PROCESS;
    if (!isClean || isUsedUp) discard(worker);
    return outcome;
  }

  /** An idle process of the owner, or of nobody. If there is none, ends one of another owner to make room. */
  function takeIdle(owner: string): Worker | undefined {
    const idle = [...workers].filter(({ isTaken }) => !isTaken);
    const worker = idle.find((each) => each.owner === owner) ?? idle.find((each) => !each.owner);
    if (worker) return Object.assign(worker, { owner, isTaken: true });
    const [unused] = idle;
    if (unused && workers.size + starting >= MOST_PROCESSES) discard(unused);
    return undefined;
  }

  async function startWorker(owner?: string): Promise<Worker | undefined> {
    starting += 1;
    try {
      launch ??= findLaunch(log).catch((error) => {
        launch = undefined;
        throw error;
      });
      const sandbox = await startSandboxProcess(await launch);
      const worker = { sandbox, owner, isTaken: owner !== undefined, runs: 0, workMs: 0 };
      workers.add(worker);
      void sandbox.ended.then(() => workers.delete(worker));
      return worker;
    } catch (error) {
      log.error({ err: error }, 'a sandbox could not be started');
      return undefined;
    } finally {
      starting -= 1;
    }
  }

  function discard(worker: Worker): void {
    workers.delete(worker);
    worker.sandbox.kill();
  }

  return {
    /** Runs a script of `owner`. If no process is free within 4 s, it does not run, and the outcome is an error. */
    async run(owner: string, job: ScriptJob): Promise<ScriptOutcome> {
      const outcome = await track(run(owner, job));
      const error = 'No process was free: the script did not run.';
      return outcome ?? { result: null, error, log: [], calls: [], durationMs: 0 };
    },

    /** Why a text is not a script; null if it is one. Throws UNAVAILABLE. */
    async check(script: string): Promise<string | null> {
      const job = { script, isCheck: true, body: null, actions: new Map(), timeoutMs: CHECK_MS };
      const outcome = await track(run('check', job));
      if (!outcome) throw refuse('UNAVAILABLE', { headers: { 'Retry-After': '1' } });
      return outcome.error;
    },

    /** Starts a process, so that the first script need not wait for it. */
    async warmUp(): Promise<void> {
      warmedUp = track(startWorker());
      await warmedUp;
    },

    /** Waits for running scripts, then ends all processes. */
    async stop(): Promise<void> {
      while (underWay.size > 0) await Promise.allSettled(underWay);
      const all = [...workers];
      for (const worker of all) discard(worker);
      await Promise.all(all.map(({ sandbox }) => sandbox.ended));
    },
  };
}

/** Finds the strongest way to start a process that works on this system: each is tried with a harmless script. */
async function findLaunch(log: Log): Promise<Launch> {
  const job = { script: 'result = body', body: 1, actions: new Map(), timeoutMs: 5_000 };
  for (const launch of launches()) {
    const sandbox = await startSandboxProcess(launch).catch(() => undefined);
    if (!sandbox) continue;
    const { outcome } = await runScript(sandbox, job);
    sandbox.kill();
    await sandbox.ended;
    if (outcome.result !== 1) continue;
    if (launch.weakness) log.warn(`the sandbox is weaker here: ${launch.weakness}`);
    return launch;
  }
  throw new Error('No sandbox process can be started on this system.');
}
