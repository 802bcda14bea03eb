import { refuse } from '../../../http/errors.js';
import type { Log } from '../../../log.js';
import { type Launch, launches, POOL_SIZE } from './launch.js';
import { runScript, type ScriptJob, type ScriptOutcome } from './run-script.js';
import { type SandboxProcess, startSandboxProcess } from './sandbox-process.js';

/** Then a process makes room for a new one: what a script might have left behind goes with it. */
const RUNS_OF_A_PROCESS = 200;
/** Jobs that wait for a process; more are refused, and their senders try again. */
const LONGEST_QUEUE = 64;
const START_MS = 10_000;

interface Waiting {
  provider: string;
  resume(worker: Worker): void;
}

interface Worker {
  sandbox: SandboxProcess;
  runs: number;
  provider: string | undefined;
}

export interface SandboxPool {
  /** Runs a script. Throws UNAVAILABLE if too many wait already. */
  run(provider: string, job: ScriptJob): Promise<ScriptOutcome>;
  stop(): Promise<void>;
}

/** Processes for scripts, started as they are needed, one script at a time in each. */
export function createSandboxPool(log: Log): SandboxPool {
  const workers = new Set<Worker>();
  const queue: Waiting[] = [];
  let chosen: Promise<Launch> | undefined;
  let starting = 0;
  let isStopped = false;

  /** One provider never has all processes: the others' scripts run whatever its own do. */
  function mayRun(provider: string): boolean {
    const own = [...workers].filter((worker) => worker.provider === provider).length;
    return own < POOL_SIZE - 1;
  }

  async function acquire(provider: string): Promise<Worker> {
    const idle = [...workers].find((worker) => worker.provider === undefined);
    if (idle && mayRun(provider)) {
      idle.provider = provider;
      return idle;
    }
    if (queue.length >= LONGEST_QUEUE || isStopped) {
      throw refuse('UNAVAILABLE', { headers: { 'Retry-After': '1' } });
    }
    return new Promise((resume) => {
      queue.push({ provider, resume });
      void fill();
    });
  }

  /** Starts a process if there is work for one more. */
  async function fill(): Promise<void> {
    const free = [...workers].filter((worker) => worker.provider === undefined).length;
    if (isStopped || workers.size + starting >= POOL_SIZE || free + starting >= queue.length)
      return;
    starting += 1;
    try {
      chosen ??= chooseLaunch(log);
      const sandbox = await startReady(await chosen);
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

  function handOut(): void {
    for (const worker of workers) {
      if (worker.provider !== undefined || worker.sandbox.hasEnded()) continue;
      const next = queue.findIndex(({ provider }) => mayRun(provider));
      const [waiting] = next < 0 ? [] : queue.splice(next, 1);
      if (!waiting) return;
      worker.provider = waiting.provider;
      waiting.resume(worker);
    }
    if (queue.length > 0) void fill();
  }

  function release(worker: Worker, isClean: boolean): void {
    worker.runs += 1;
    if (isClean && worker.runs < RUNS_OF_A_PROCESS && !isStopped) worker.provider = undefined;
    else {
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

/** The best way to start a process that works here: each is tried with a script that does no harm. */
async function chooseLaunch(log: Log): Promise<Launch> {
  const job = { script: 'result = body', body: 1, actions: new Map(), timeoutMs: START_MS };
  for (const launch of launches()) {
    try {
      const sandbox = await startReady(launch);
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

/** A process that has said that it is ready. */
async function startReady(launch: Launch): Promise<SandboxProcess> {
  const sandbox = startSandboxProcess(launch);
  const isReady = await new Promise<boolean>((resolve) => {
    const timer = setTimeout(() => resolve(false), START_MS);
    const settle = (ready: boolean) => {
      clearTimeout(timer);
      resolve(ready);
    };
    sandbox.listener = (line) => settle(line === 'ready');
    void sandbox.ended.then(() => settle(false));
  });
  sandbox.listener = undefined;
  if (isReady) return sandbox;
  sandbox.kill();
  throw new Error('The sandbox process did not start.');
}
