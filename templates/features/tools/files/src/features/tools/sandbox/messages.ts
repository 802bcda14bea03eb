import { z } from 'zod';
import { isTooDeep } from '../../../http/json-depth.js';

const Message = z.union([
  z.object({ type: z.literal('log'), line: z.string().max(2_000) }),
  z.object({ type: z.literal('call'), call: z.number(), id: z.string(), input: z.string() }),
  z.object({ type: z.literal('done'), result: z.string() }),
  z.object({ type: z.literal('done'), error: z.string() }),
]);
const Messages = z.array(Message).max(1_000);

/** What a script says through the border. */
export type ScriptMessage = z.infer<typeof Message>;

/** A script's call of an action; `input` is JSON, empty for none. */
export type ActionCall = Extract<ScriptMessage, { type: 'call' }>;

/** The messages in a text; undefined if it is none of ours. */
export function messagesIn(said: string): ScriptMessage[] | undefined {
  const json = jsonOf(said);
  const parsed = Messages.safeParse(json?.value);
  return parsed.success ? parsed.data : undefined;
}

/** How a script ended: its result, or what went wrong. */
export function endingOf(message: Extract<ScriptMessage, { type: 'done' }>) {
  if ('error' in message) return { result: null, error: message.error };
  const json = jsonOf(message.result);
  if (!json) return { result: null, error: 'No JSON.' };
  if (isTooDeep(json.value)) return { result: null, error: 'The result is nested too deeply.' };
  return { result: json.value, error: undefined };
}

function jsonOf(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}
