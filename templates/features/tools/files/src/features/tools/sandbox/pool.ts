import { availableParallelism } from 'node:os';
import { refuse } from '../../../http/errors.js';
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

interface Waiting {
  owner: string;
  assign(worker: Worker): void;
}

export type SandboxPool = ReturnType<typeof createSandboxPool>;

/** Processes that run scripts, started on demand, each for one script at a time and one owner. */
export function createSandboxPool(log: Log) {
  const workers = new Set<Worker>();
  const waiting = new Set<Waiting>();
  const underWay = new Set<Promise<unknown>>();
  let launch: Launch | undefined;
  let starting = 0;

  function track<T>(work: Promise<T>): Promise<T> {
    underWay.add(work);
    return work.finally(() => underWay.delete(work));
  }

  /** A process for one run; undefined if none becomes free in time. */
  function acquire(owner: string): Promise<Worker | undefined> {
    return new Promise((resolve) => {
      const ofOwner = [...waiting].filter((each) => each.owner === owner);
      if (ofOwner.length >= MOST_WAITING_OF_OWNER) return resolve(undefined);
      const entry: Waiting = {
        owner,
        assign(worker) {
          waiting.delete(entry);
          clearTimeout(timer);
          Object.assign(worker, { owner, isTaken: true });
          resolve(worker);
        },
      };
      const timer = setTimeout(() => {
        waiting.delete(entry);
        resolve(undefined);
      }, LONGEST_WAIT_MS);
      waiting.add(entry);
      handOut();
    });
  }

  /** Assigns free processes, and starts what is missing. */
  function handOut(): void {
    let missing = 0;
    for (const { owner, assign } of inTurn()) {
      const idle = [...workers].filter(({ isTaken }) => !isTaken);
      const worker = idle.find((each) => each.owner === owner) ?? idle.find((each) => !each.owner);
      if (worker) assign(worker);
      else missing += 1;
    }
    // The first start finds out which launch works.
    const most = launch ? missing : Math.min(missing, 1);
    while (starting < most && hasRoom()) void track(startWorker());
  }

  /** The calls that may run, those of the owners with the fewest processes first. */
  function inTurn(): Waiting[] {
    const runs = new Map<string | undefined, number>();
    const runsOf = (owner: string | undefined) => runs.get(owner) ?? 0;
    for (const { owner, isTaken } of workers) if (isTaken) runs.set(owner, runsOf(owner) + 1);
    const fairest = [...waiting].sort((a, b) => runsOf(a.owner) - runsOf(b.owner));
    return fairest.filter(({ owner }) => {
      runs.set(owner, runsOf(owner) + 1);
      return runsOf(owner) <= MOST_RUNS_OF_OWNER;
    });
  }

  /** True if one more process may be started, possibly in place of an idle one. */
  function hasRoom(): boolean {
    if (workers.size + starting < MOST_PROCESSES) return true;
    const unused = [...workers].find(({ isTaken }) => !isTaken);
    if (unused) discard(unused);
    return unused !== undefined;
  }

  async function startWorker(): Promise<void> {
    starting += 1;
    try {
      const sandbox = launch ? await startSandboxProcess(launch) : await findLaunch();
      const worker = { sandbox, owner: undefined, isTaken: false, runs: 0, workMs: 0 };
      workers.add(worker);
      void sandbox.ended.then(() => workers.delete(worker));
    } catch (error) {
      return log.error({ err: error }, 'a sandbox could not be started');
    } finally {
      starting -= 1;
    }
    handOut();
  }

  /** Starts a process in the strongest way that works on this system: each is tried with a harmless script. */
  async function findLaunch(): Promise<SandboxProcess> {
    const job = { script: 'result = body', body: 1, actions: new Map(), timeoutMs: 5_000 };
    for (const each of launches()) {
      const sandbox = await startSandboxProcess(each).catch(() => undefined);
      if (!sandbox) continue;
      const { outcome } = await runScript(sandbox, job);
      if (outcome.result === 1) {
        if (each.weakness) log.warn(`the sandbox is weaker here: ${each.weakness}`);
        launch = each;
        return sandbox;
      }
      sandbox.kill();
    }
    throw new Error('No sandbox process can be started on this system.');
  }

  function discard(worker: Worker): void {
    workers.delete(worker);
    worker.sandbox.kill();
  }

  async function run(owner: string, job: ScriptJob): Promise<ScriptOutcome | undefined> {
    const worker = await acquire(owner);
    if (!worker) return undefined;
    const { outcome, isClean } = await runScript(worker.sandbox, job);
    worker.isTaken = false;
    worker.runs += 1;
    worker.workMs += outcome.durationMs;
    const isUsedUp = worker.runs >= RUNS_OF_PROCESS || worker.workMs >= WORK_MS_OF_PROCESS;
    if (!isClean || isUsedUp) discard(worker);
    handOut();
    return outcome;
  }

  return {
    /** Runs a script of `owner`. If no process is free within 4 s, it does not run, and the outcome is an error. */
    async run(owner: string, job: ScriptJob): Promise<ScriptOutcome> {
      const outcome = await track(run(owner, job));
      const error = 'No process was free: the script did not run.';
      return outcome ?? { result: null, error, log: [], calls: [], durationMs: 0 };
    },

    /** Why a text is not a script; undefined if it is one. Throws UNAVAILABLE. */
    async check(script: string): Promise<string | undefined> {
      const job = { script, isCheck: true, body: null, actions: new Map(), timeoutMs: 2_000 };
      const outcome = await track(run('check', job));
      if (!outcome) throw refuse('UNAVAILABLE', { headers: { 'Retry-After': '1' } });
      return outcome.error;
    },

    /** Starts a process, so that the first script need not wait for it. */
    warmUp: () => track(startWorker()),

    /** Waits for running scripts, then ends all processes. */
    async stop(): Promise<void> {
      while (underWay.size > 0) await Promise.allSettled(underWay);
      const all = [...workers];
      for (const worker of all) discard(worker);
      await Promise.all(all.map(({ sandbox }) => sandbox.ended));
    },
  };
}
