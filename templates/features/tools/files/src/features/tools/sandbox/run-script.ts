import * as z from 'zod';
import { isTooDeep } from '../../../http/body.js';
import { monotonicTime } from '../../../process/clock.js';
import { parseJson, type SandboxProcess } from './sandbox-process.js';

const MOST_CALLS = 100;
const MOST_LINES = 100;
/** Characters of an action's argument, of its answer, and of a result. */
const LONGEST_JSON = 262_144;

export interface ScriptJob {
  script: string;
  /** True to compile the script only. */
  isCheck?: boolean;
  body: unknown;
  /** By id. Each gets its argument, parsed from JSON, and the number of the call. */
  actions: Map<string, (input: unknown, call: number, signal: AbortSignal) => Promise<unknown>>;
  /** Wall clock, from when the process gets the job. */
  timeoutMs: number;
}

export interface ScriptOutcome {
  result: unknown;
  /** Null if the script completed. */
  error: string | null;
  log: string[];
  calls: { id: string; ok: boolean }[];
  durationMs: number;
}

const Message = z.union([
  z.object({ type: z.literal('log'), line: z.string().max(2_000) }),
  /** `input` is JSON, empty for no argument. */
  z.object({ type: z.literal('call'), call: z.number(), id: z.string(), input: z.string() }),
  z.object({ type: z.literal('done'), result: z.string() }),
  z.object({ type: z.literal('done'), error: z.string().max(3_000) }),
]);

type ScriptMessage = z.infer<typeof Message>;
type ActionCall = Extract<ScriptMessage, { type: 'call' }>;
type Ending = Pick<ScriptOutcome, 'result' | 'error'>;

const failed = (error: string): Ending => ({ result: null, error });
/** Defined outside of a run: a function made there would keep the run's data until the next one. */
const ignore = () => {};

/**
 * Runs one script in a process and answers its calls. Messages of the process are validated here: a
 * script that has taken it over can only call its own actions. Reuse the process only if `isClean`.
 */
export function runScript(
  sandbox: SandboxProcess,
  job: ScriptJob,
): Promise<{ outcome: ScriptOutcome; isClean: boolean }> {
  const start = monotonicTime();
  const aborter = new AbortController();
  const log: string[] = [];
  const calls: ScriptOutcome['calls'] = [];
  const started: Promise<void>[] = [];
  let ending: Ending | undefined;

  return new Promise((resolve) => {
    const stop = (error: string) => end(failed(error), false);
    let timeUp = () => stop('The script took too long.');
    const timer = setTimeout(() => timeUp(), job.timeoutMs);
    sandbox.listener = (line) => {
      if (line === undefined) return stop('The script ended its process.');
      const { success, data } = Message.safeParse(parseJson(line)?.value);
      if (line === 'null' && ending) complete(ending);
      else if (success) receive(data);
      else stop('The script violated the protocol.');
    };
    const { script, isCheck = false, timeoutMs } = job;
    const actions = [...job.actions.keys()];
    const body = JSON.stringify(job.body ?? null);
    if (sandbox.hasEnded()) sandbox.listener(undefined);
    else sandbox.send({ script, isCheck, body, actions, timeoutMs });

    function receive(message: ScriptMessage): void {
      if (ending) return;
      if (message.type === 'done') ending = endingOf(message);
      else if (message.type === 'call') started.push(answer(message));
      else if (log.length < MOST_LINES) log.push(message.line);
    }

    async function answer(request: ActionCall): Promise<void> {
      if (calls.length >= MOST_CALLS) return stop('Too many actions were called.');
      const entry = { id: request.id.slice(0, 128), ok: false };
      calls.push(entry);
      const reply = await act(job, request, aborter.signal);
      entry.ok = !('error' in reply);
      if (!aborter.signal.aborted) sandbox.send({ call: request.call, ...reply });
    }

    /** Waits for actions that the script did not wait for, at most until its time limit. */
    function complete(completed: Ending): void {
      timeUp = () => end(completed, true);
      void Promise.all(started).then(timeUp);
    }

    function end({ result, error }: Ending, isFree: boolean): void {
      // By now the process may run another script.
      if (aborter.signal.aborted) return;
      clearTimeout(timer);
      sandbox.listener = ignore;
      aborter.abort();
      const durationMs = Math.round(monotonicTime() - start);
      const isClean = isFree && (isCheck || error === null);
      resolve({ outcome: { result, error, log, calls, durationMs }, isClean });
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
  if (input.length > LONGEST_JSON) return { error: 'The argument is too large.' };
  try {
    const value = await action(input === '' ? undefined : JSON.parse(input), call, signal);
    const isTooLarge = (JSON.stringify(value)?.length ?? 0) > LONGEST_JSON;
    return isTooLarge ? { error: 'The answer is too large.' } : { value };
  } catch (error) {
    return { error: error instanceof Error ? error.message.slice(0, 500) : 'The action failed.' };
  }
}

function endingOf(message: Extract<ScriptMessage, { type: 'done' }>): Ending {
  // Databases refuse a NUL, or text that is not valid Unicode.
  if ('error' in message) return failed(message.error.replaceAll('\0', '').toWellFormed());
  if (message.result.length > LONGEST_JSON) return failed('The result is too large.');
  const json = parseJson(message.result);
  if (!json) return failed('The result is not JSON.');
  if (isTooDeep(json.value)) return failed('The result is nested too deeply.');
  return { result: json.value, error: null };
}
