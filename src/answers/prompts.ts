import { type CANCEL_SYMBOL, cancel, isCancel, multiselect, select, text } from '@clack/prompts';
import { cancelled } from '../errors.js';
import type { Question } from './schema.js';

/** What a prompt gives when the person wants the question before it. */
export const back: unique symbol = Symbol('back');

type Output = NodeJS.WriteStream;
type Reply<Value> = Promise<Value | typeof back>;

/** @param current what Enter alone answers  @param problem why an answer will not do, if it will not */
export function askText(
  message: string,
  current: string,
  problem: (value: string) => string | undefined,
  output: Output,
): Reply<string> {
  return prompt(output, (signal) =>
    text({
      message: hinted(message),
      placeholder: current,
      defaultValue: current,
      validate: (value) => problem(value || current),
      output,
      signal,
    }),
  );
}

/** One or several of the question's choices; those in `current` are marked. */
export function askChoice(question: Question, current: string[], output: Output): Reply<unknown> {
  const { ask, kind, choices } = question;
  const message = hinted(ask);
  const options = choices.map(({ value, title, hint }) => ({ value, label: title, hint }));
  if (kind === 'one') {
    return prompt(output, (signal) =>
      select({ message, options, initialValue: current[0], output, signal }),
    );
  }
  const required = question.needsOne;
  return prompt(output, (signal) =>
    multiselect({ message, options, initialValues: current, required, output, signal }),
  );
}

/** One of a few labelled ways on. */
export function askHowToGoOn<Way extends string>(
  message: string,
  ways: { value: Way; label: string }[],
  output: Output,
): Reply<Way> {
  const options = ways as { value: string; label: string }[];
  return prompt(output, (signal) =>
    select({ message: hinted(message), options, output, signal }),
  ) as Reply<Way>;
}

function hinted(message: string): string {
  return `${message} (Shift+Tab: back)`;
}

/** @throws UserError with exit code 130 if the person leaves */
async function prompt<Value>(
  output: Output,
  run: (signal: AbortSignal) => Promise<Value | typeof CANCEL_SYMBOL>,
): Reply<Value> {
  const leaving = new AbortController();
  const goBack = (_: string, key: { name?: string; shift?: boolean }) => {
    if (key.name === 'tab' && key.shift) leaving.abort();
  };
  process.stdin.on('keypress', goBack);
  const value = await run(leaving.signal).finally(() => process.stdin.off('keypress', goBack));
  if (leaving.signal.aborted) return back;
  if (!isCancel(value)) return value as Value;
  cancel('Cancelled.', { output });
  throw cancelled();
}
