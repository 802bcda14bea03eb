import { monotonicTime } from '../../../clock.js';
import { type ActionCall, endingOf, messagesIn, type ScriptMessage } from './messages.js';
import type { SandboxProcess } from './sandbox-process.js';

/** A script and what it may do. */
export interface ScriptJob {
  script: string;
  body: unknown;
  /** By id; each gets the argument as JSON has it, and the number of the call. */
  actions: Map<string, (input: unknown, call: number, signal: AbortSignal) => Promise<unknown>>;
  /** Wall clock, from the moment the process has the job. */
  timeoutMs: number;
}

/** What came of a run. */
export interface ScriptOutcome {
  result: unknown;
  /** Undefined if the script came to its end. */
  error: string | undefined;
  isTimeout: boolean;
  log: string[];
  calls: { id: string; ok: boolean }[];
  durationMs: number;
}

const MOST_CALLS = 100;
const LONGEST_REPLY = 262_144;
const MOST_LINES = 100;

let lastRun = 0;

/**
 * Runs one script in a process and answers its calls. Whatever the process says is checked again
 * here: a script that has taken it over gains no more than its own actions. `isClean` is true if
 * the process may be used again; otherwise it is killed.
 */
export function runScript(
  sandbox: SandboxProcess,
  job: ScriptJob,
): Promise<{ outcome: ScriptOutcome; isClean: boolean }> {
  lastRun += 1;
  const run = lastRun;
  const start = monotonicTime();
  const aborter = new AbortController();
  const log: string[] = [];
  const calls: ScriptOutcome['calls'] = [];
  let ending: Pick<ScriptOutcome, 'result' | 'error'> | undefined;

  return new Promise((resolve) => {
    const timer = setTimeout(
      () => end({ error: 'The time is over.', isTimeout: true }),
      job.timeoutMs,
    );
    void sandbox.ended.then(() => end({ error: 'The script ended its process.' }));
    sandbox.listener = (line) => {
      if (line === 'ready' || line.run !== run)
        return end({ error: 'The script broke the protocol.' });
      if ('idle' in line) return end(ending ?? { error: 'The script broke the protocol.' }, true);
      const messages = messagesIn(line.said);
      if (!messages) return end({ error: 'The script broke the protocol.' });
      for (const message of messages) hear(message);
    };
    sandbox.send({
      run,
      job: {
        script: job.script,
        body: JSON.stringify(job.body),
        actions: [...job.actions.keys()],
        timeoutMs: job.timeoutMs,
      },
    });

    function hear(message: ScriptMessage): void {
      if (ending) return;
      if (message.type === 'done') ending = endingOf(message);
      else if (message.type === 'call') void answer(message);
      else if (log.length < MOST_LINES) log.push(message.line);
    }

    async function answer(called: ActionCall): Promise<void> {
      if (calls.length >= MOST_CALLS) return end({ error: 'Too many actions were called.' });
      const entry = { id: called.id.slice(0, 128), ok: false };
      calls.push(entry);
      const reply = await act(job, called, aborter.signal);
      entry.ok = !('error' in reply);
      // After the end nobody is there to hear it.
      if (aborter.signal.aborted) return;
      sandbox.send({ run, reply: JSON.stringify({ call: called.call, ...reply }) });
    }

    function end(
      { result = null, error, isTimeout = false }: Partial<ScriptOutcome>,
      isClean = false,
    ): void {
      clearTimeout(timer);
      sandbox.listener = undefined;
      aborter.abort();
      const durationMs = Math.round(monotonicTime() - start);
      const outcome = { result, error, isTimeout, log, calls, durationMs };
      resolve({ outcome, isClean: isClean && error === undefined });
    }
  });
}

/** What an action answers, or why it does not. */
async function act(
  { actions }: ScriptJob,
  { id, input, call }: ActionCall,
  signal: AbortSignal,
): Promise<{ value: unknown } | { error: string }> {
  const action = actions.get(id);
  if (!action) return { error: 'There is no such action.' };
  try {
    const value = await action(input === '' ? undefined : JSON.parse(input), call, signal);
    const isTooLarge = (JSON.stringify(value)?.length ?? 0) > LONGEST_REPLY;
    return isTooLarge ? { error: 'The answer is too large.' } : { value };
  } catch (error) {
    return { error: error instanceof Error ? error.message.slice(0, 500) : 'The action failed.' };
  }
}
