import { refuse } from '../../../http/errors.js';
import type { Log } from '../../../process/log.js';
import { type Launch, launches, POOL_SIZE } from './launch.js';
import { runScript, type ScriptJob, type ScriptOutcome } from './run-script.js';
import { type SandboxProcess, START_MS, startSandboxProcess } from './sandbox-process.js';

/** After so many runs a process is replaced, because scripts may leave something behind in it. */
const RUNS_OF_A_PROCESS = 200;
/** How many jobs may wait for a process; more are refused with 503. */
const LONGEST_QUEUE = 64;

interface Worker {
  sandbox: SandboxProcess;
  runs: number;
  /** The provider whose script it runs; undefined while it is idle. */
  provider: string | undefined;
}

interface Waiting {
  provider: string;
  assign(worker: Worker): void;
}

export interface SandboxPool {
  /** Runs a script. Throws UNAVAILABLE if too many wait already. */
  run(provider: string, job: ScriptJob): Promise<ScriptOutcome>;
  stop(): Promise<void>;
}

/** Processes for scripts, started on demand, each for one script at a time. */
export function createSandboxPool(log: Log): SandboxPool {
  const workers = new Set<Worker>();
  const queue: Waiting[] = [];
  let chosen: Promise<Launch> | undefined;
  let starting = 0;
  let isStopped = false;

  /** One provider never gets all processes, so that it cannot starve the others. */
  function mayRun(provider: string): boolean {
    const own = [...workers].filter((worker) => worker.provider === provider);
    return own.length < POOL_SIZE - 1;
  }

  function acquire(provider: string): Promise<Worker> {
    return new Promise((assign, reject) => {
      queue.push({ provider, assign });
      handOut();
      if (queue.length <= LONGEST_QUEUE && !isStopped) return;
      // No process was free for it, so it is still the last in the queue.
      queue.pop();
      reject(refuse('UNAVAILABLE', { headers: { 'Retry-After': '1' } }));
    });
  }

  function handOut(): void {
    if (isStopped) return;
    const idle = [...workers].filter(({ provider, sandbox }) => {
      return provider === undefined && !sandbox.hasEnded();
    });
    for (const worker of idle) {
      const next = queue.findIndex(({ provider }) => mayRun(provider));
      const waiting = queue[next];
      if (!waiting) break;
      queue.splice(next, 1);
      worker.provider = waiting.provider;
      waiting.assign(worker);
    }
    const unused = [...workers].filter(({ provider }) => provider === undefined).length;
    const isShort = queue.length > unused + starting;
    if (isShort && workers.size + starting < POOL_SIZE) void startWorker();
  }

  async function startWorker(): Promise<void> {
    starting += 1;
    try {
      chosen ??= chooseLaunch(log);
      const sandbox = await startSandboxProcess(await chosen);
      const worker: Worker = { sandbox, runs: 0, provider: undefined };
      workers.add(worker);
      void sandbox.ended.then(() => workers.delete(worker));
    } catch (error) {
      log.error({ err: error }, 'a sandbox could not be started');
      chosen = undefined;
    } finally {
      starting -= 1;
    }
    handOut();
  }

  function release(worker: Worker, isClean: boolean): void {
    worker.runs += 1;
    worker.provider = undefined;
    if (!isClean || worker.runs >= RUNS_OF_A_PROCESS || isStopped) {
      workers.delete(worker);
      worker.sandbox.kill();
    }
    handOut();
  }

  return {
    async run(provider, job) {
      const worker = await acquire(provider);
      let isClean = false;
      try {
        const run = await runScript(worker.sandbox, job);
        isClean = run.isClean;
        return run.outcome;
      } finally {
        release(worker, isClean);
      }
    },

    async stop() {
      isStopped = true;
      const all = [...workers];
      for (const { sandbox } of all) sandbox.kill();
      await Promise.all(all.map(({ sandbox }) => sandbox.ended));
    },
  };
}

/** The strongest way to start a process that works on this system: each is tried with a harmless script. */
async function chooseLaunch(log: Log): Promise<Launch> {
  const job = { script: 'result = body', body: 1, actions: new Map(), timeoutMs: START_MS };
  for (const launch of launches()) {
    try {
      const sandbox = await startSandboxProcess(launch);
      const { outcome } = await runScript(sandbox, job);
      sandbox.kill();
      if (outcome.result !== 1) continue;
      if (launch.weakness) log.warn(`the sandbox is weaker here: ${launch.weakness}`);
      return launch;
    } catch {
      // The next way is weaker, but may work.
    }
  }
  throw new Error('No sandbox process can be started on this system.');
}
