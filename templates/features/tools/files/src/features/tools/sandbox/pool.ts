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
/** A process is replaced after this long at work, at the latest after 200 runs: scripts may leave something behind in it. */
const WORK_MS_OF_PROCESS = 20_000;
const LEAST_MS_OF_RUN = WORK_MS_OF_PROCESS / 200;

/** A process that runs scripts. */
interface Worker {
  sandbox: SandboxProcess;
  /** The owner whose scripts it runs until it ends: another owner's script must not find what they leave behind. */
  owner: string | undefined;
  workMs: number;
}

export type SandboxPool = ReturnType<typeof createSandboxPool>;

/** Processes that run scripts, started on demand, each for one script at a time and one owner. */
export function createSandboxPool(log: Log) {
  const idle = new Set<Worker>();
  const underWay = new Set<Promise<unknown>>();
  /** The scripts of all owners, in the order of their turns; each turn holds one process. */
  const turns = pLimit(MOST_PROCESSES);
  // Small, one for each owner, and never removed.
  const queues = new Map<string, LimitFunction>();
  let launch: Promise<Launch> | undefined;
  let warmedUp: Promise<unknown> | undefined;

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
    const worker = takeIdle(owner) ?? (await startWorker());
    if (!worker) return undefined;
    worker.owner = owner;
    const { outcome, isClean } = await runScript(worker.sandbox, job);
    worker.workMs += Math.max(LEAST_MS_OF_RUN, outcome.durationMs);
    if (isClean && worker.workMs < WORK_MS_OF_PROCESS) idle.add(worker);
    else worker.sandbox.kill();
    return outcome;
  }

  /** An idle process of the owner, or of nobody. If there is none, ends one of another owner to make room. */
  function takeIdle(owner: string): Worker | undefined {
    const all = [...idle];
    const worker = all.find((each) => each.owner === owner) ?? all.find((each) => !each.owner);
    const isFull = idle.size + turns.activeCount > MOST_PROCESSES;
    const taken = worker ?? (isFull ? all[0] : undefined);
    if (taken) idle.delete(taken);
    if (!worker) taken?.sandbox.kill();
    return worker;
  }

  async function startWorker(): Promise<Worker | undefined> {
    try {
      launch ??= findLaunch(log).catch((error) => {
        launch = undefined;
        throw error;
      });
      const sandbox = await startSandboxProcess(await launch);
      const worker: Worker = { sandbox, owner: undefined, workMs: 0 };
      void sandbox.ended.then(() => idle.delete(worker));
      return worker;
    } catch (error) {
      log.error({ err: error }, 'a sandbox could not be started');
      return undefined;
    }
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
      warmedUp = track(startWorker().then((worker) => worker && idle.add(worker)));
      await warmedUp;
    },

    /** Waits for running scripts, then ends all processes. */
    async stop(): Promise<void> {
      while (underWay.size > 0) await Promise.allSettled(underWay);
      const sandboxes = [...idle].map(({ sandbox }) => sandbox);
      for (const sandbox of sandboxes) sandbox.kill();
      await Promise.all(sandboxes.map(({ ended }) => ended));
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
