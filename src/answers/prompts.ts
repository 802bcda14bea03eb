import { cancelled } from '../errors.js';
import {
  type CANCEL_SYMBOL,
  cancel,
  confirm,
  isCancel,
  multiselect,
  select,
  text,
  updateSettings,
} from '../packages/clack.js';
import type { Question } from './questions.js';

/** What a prompt gives when the person wants the question before it. */
export const back: unique symbol = Symbol('back');

// To clack it is one more way to leave a prompt; which one it was is seen below.
const shiftTab = '\u001b[Z';
updateSettings({ aliases: { [shiftTab]: 'cancel' } });

type Output = NodeJS.WriteStream;
type Reply<Value> = Promise<Value | typeof back>;

/** @param current what Enter alone answers  @param problem why an answer will not do, if it will not */
export function askText(
  message: string,
  current: string,
  problem: (value: string) => string | undefined,
  output: Output,
): Reply<string> {
  const validate = (value: string | undefined) => problem(value || current);
  return prompt(
    text({ message, placeholder: current, defaultValue: current, validate, output }),
    output,
  );
}

/** One or several of the question's choices; those in `current` are marked. */
export function askChoice(question: Question, current: string[], output: Output): Reply<unknown> {
  const { ask: message, kind, choices } = question;
  const options = choices.map(({ value, title, hint }) => ({ value, label: title, hint }));
  if (kind === 'one') {
    return prompt(select({ message, options, initialValue: current[0], output }), output);
  }
  const required = question.needsOne;
  return prompt(
    multiselect({ message, options, initialValues: current, required, output }),
    output,
  );
}

/** One of a few labelled ways on. */
export function askHowToGoOn<Way extends string>(
  message: string,
  ways: { value: Way; label: string }[],
  output: Output,
): Reply<Way> {
  const options = ways as { value: string; label: string }[];
  return prompt(select({ message, options, output }), output) as Reply<Way>;
}

/** @throws UserError with exit code 130 if the person leaves */
async function prompt<Value>(
  question: Promise<Value | typeof CANCEL_SYMBOL>,
  output: Output,
): Reply<Value> {
  let lastKey: string | undefined;
  const remember = (_: string, key: { sequence?: string }) => {
    lastKey = key.sequence;
  };
  process.stdin.on('keypress', remember);
  const value = await question.finally(() => process.stdin.off('keypress', remember));
  if (!isCancel(value)) return value as Value;
  if (lastKey === shiftTab) return back;
  cancel('Cancelled.', { output });
  throw cancelled();
}

/** A question before something that cannot be taken back; Enter alone says no. */
export async function askYesOrNo(message: string, output: Output): Promise<boolean> {
  return (await confirm({ message, initialValue: false, output })) === true;
}
