import { z } from 'zod';
import { isTooDeep } from '../../../http/body.js';
import { monotonicTime } from '../../../process/clock.js';
import type { SandboxProcess } from './sandbox-process.js';

const MOST_CALLS = 100;
const LONGEST_REPLY = 262_144;
const MOST_LINES = 100;

export interface ScriptJob {
  script: string;
  body: unknown;
  /** By id. Each gets its argument, parsed from JSON, and the number of the call. */
  actions: Map<string, (input: unknown, call: number, signal: AbortSignal) => Promise<unknown>>;
  /** Wall clock, from when the process gets the job. */
  timeoutMs: number;
}

export interface ScriptOutcome {
  result: unknown;
  /** Undefined if the script completed. */
  error: string | undefined;
  isTimeout: boolean;
  log: string[];
  calls: { id: string; ok: boolean }[];
  durationMs: number;
}

const Message = z.union([
  z.object({ type: z.literal('log'), line: z.string().max(2_000) }),
  /** `input` is JSON, empty for no argument. */
  z.object({ type: z.literal('call'), call: z.number(), id: z.string(), input: z.string() }),
  z.object({ type: z.literal('done'), result: z.string() }),
  z.object({ type: z.literal('done'), error: z.string() }),
]);
const Messages = z.array(Message).max(1_000);

type ScriptMessage = z.infer<typeof Message>;
type ActionCall = Extract<ScriptMessage, { type: 'call' }>;

const BREACH = { error: 'The script violated the protocol.' };

let lastRun = 0;

/**
 * Runs one script in a process and answers its calls. Messages of the process are validated here: a script
 * that has taken it over can do no more than call its own actions. Reuse the process only if `isClean`.
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
    const timeout = { error: 'The script took too long.', isTimeout: true };
    const timer = setTimeout(() => end(timeout), job.timeoutMs);
    void sandbox.ended.then(() => end({ error: 'The script ended its process.' }));
    sandbox.listener = (line) => {
      if (line === 'ready' || line.run !== run) return end(BREACH);
      if ('idle' in line) return end(ending ?? BREACH, true);
      const messages = messagesIn(line.said);
      if (!messages) return end(BREACH);
      for (const message of messages) hear(message);
    };
    const { script, timeoutMs } = job;
    const body = JSON.stringify(job.body);
    sandbox.send({ run, job: { script, body, actions: [...job.actions.keys()], timeoutMs } });

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
      // After the end of this run the process may be running another script.
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

function endingOf(message: Extract<ScriptMessage, { type: 'done' }>) {
  if ('error' in message) return { result: null, error: message.error };
  const json = parseJson(message.result);
  if (!json) return { result: null, error: 'The result is not JSON.' };
  if (isTooDeep(json.value)) return { result: null, error: 'The result is nested too deeply.' };
  return { result: json.value, error: undefined };
}

function messagesIn(text: string): ScriptMessage[] | undefined {
  const parsed = Messages.safeParse(parseJson(text)?.value);
  return parsed.success ? parsed.data : undefined;
}

function parseJson(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}
