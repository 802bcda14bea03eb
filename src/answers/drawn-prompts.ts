import { styleText } from 'node:util';
import { cancelled } from '../errors.js';
import * as clack from '../packages/clack.js';
import { back, type Offered, type OnePrompt, type Prompts, type Reply, wrapped } from './prompt.js';

// To clack both keys cancel a prompt; the code below tells them apart. Without the second alias, Ctrl-D would close
// readline, and clack would wait forever.
const shiftTab = '\u001b[Z';
const ctrlD = '\u0004';
clack.updateSettings({ aliases: { [shiftTab]: 'cancel', [ctrlD]: 'cancel' } });

/** How many columns the lines around a question and around a note take. */
const guide = 3;
const noteFrame = 6;
const standardWidth = 80;

/** Questions drawn on a terminal and answered by keys. Below the answers, the highlighted one is explained. */
export function drawnPrompts(output: NodeJS.WriteStream): Prompts {
  // A question hides the cursor, and a signal may end it.
  process.once('exit', () => output.write('\u001b[?25h'));
  // A terminal that does not know its width says 0: clack, which reads the same number, would write a letter a line.
  if (!output.columns) output.columns = standardWidth;
  const width = () => output.columns || standardWidth;
  const lines = (text: string) => wrapped(text, width() - guide - 1);
  const dimmed = (text: string) => lines(text).map((line) => styleText('dim', line));

  /** A question as clack draws it: the question, the body, then a problem or else which keys can be used. */
  function frame(
    { state, error }: { state: clack.State; error: string },
    message: string,
    { body, problem = error, help }: { body: string[]; problem?: string; help: string },
  ): string {
    const isDone = state === 'submit' || state === 'cancel';
    const [first = '', ...rest] = lines(message);
    const bar = isDone ? styleText('gray', clack.S_BAR) : clack.symbolBar(state);
    const end = problem ? lines(problem).map((line) => styleText('yellow', line)) : dimmed(help);
    const [last = '', ...more] = end;
    return [
      styleText('gray', clack.S_BAR),
      `${clack.symbol(state)}  ${first}`,
      ...[...rest, ...body].map((line) => `${bar}  ${line}`),
      ...(isDone
        ? []
        : [
            `${styleText('cyan', clack.S_BAR_END)}  ${last}`,
            ...more.map((line) => `   ${line}`),
            '',
          ]),
    ].join('\n');
  }

  function list(
    { state, cursor }: { state: clack.State; cursor: number },
    offered: Offered[],
    chosen: string[],
    style: (offer: Offered, isActive: boolean) => string,
  ): string[] {
    if (state === 'submit' || state === 'cancel') {
      const labels = offered.filter(({ value }) => chosen.includes(value));
      return dimmed(labels.map(({ label }) => label).join(', ') || 'none');
    }
    const { about: text } = offered[cursor] ?? {};
    const about = text ? dimmed(text) : [];
    const rowPadding = about.length + guide * 2;
    return [
      ...clack.limitOptions({
        output,
        options: offered,
        cursor,
        columnPadding: guide,
        rowPadding,
        style,
      }),
      ...about,
    ];
  }

  return {
    begin: () => clack.intro('create-auth-service', { output }),
    tell: (title, text) => {
      const rows = text.flatMap((line) => wrapped(line, width() - noteFrame, '  '));
      clack.note(rows.join('\n'), title, { output });
    },
    end: (sentence) => clack.outro(sentence, { output }),

    text({ message, current, problem }) {
      const prompt = new clack.TextPrompt({
        output,
        placeholder: current,
        defaultValue: current,
        validate: (value) => problem(value || current),
        render() {
          const isTyping = this.state === 'initial' || this.state === 'active';
          const typed = this.userInput ? this.userInputWithCursor : styleText('dim', current);
          return frame(this, message, {
            body: [isTyping || this.state === 'error' ? typed : styleText('dim', this.value ?? '')],
            ...(isTyping ? { problem: problem(this.userInput || current) ?? '' } : {}),
            help: 'Enter continues, Escape cancels',
          });
        },
      });
      return answerOf(prompt.prompt());
    },

    one<Value extends string>({
      message,
      offered,
      current,
      hasPrevious,
      problem,
    }: OnePrompt<Value>) {
      const prompt = new clack.SelectPrompt<Offered>({
        output,
        options: offered,
        initialValue: current,
        validate: (value: string | undefined) => problem(value ?? ''),
        render() {
          const style = ({ label }: Offered, isActive: boolean) =>
            isActive
              ? `${styleText('green', clack.S_RADIO_ACTIVE)} ${label}`
              : `${styleText('dim', clack.S_RADIO_INACTIVE)} ${styleText('dim', label)}`;
          return frame(this, message, {
            body: list(this, offered, [this.value ?? ''], style),
            help: `Arrows select, Enter continues${wayBack(hasPrevious)}`,
          });
        },
      });
      // Safe: these are the values that were offered.
      return answerOf(prompt.prompt() as Promise<Value | typeof clack.CANCEL_SYMBOL>);
    },

    several({ message, offered, current, hasPrevious, problem }) {
      const prompt = new clack.MultiSelectPrompt({
        output,
        options: offered,
        initialValues: current,
        required: false,
        validate: (values: string[] | undefined) => problem(values ?? []),
        render() {
          const chosen: string[] = this.value ?? [];
          const style = ({ value, label }: Offered, isActive: boolean) => {
            const empty = isActive
              ? styleText('cyan', clack.S_CHECKBOX_ACTIVE)
              : styleText('dim', clack.S_CHECKBOX_INACTIVE);
            const box = chosen.includes(value)
              ? styleText('green', clack.S_CHECKBOX_SELECTED)
              : empty;
            return `${box} ${isActive ? label : styleText('dim', label)}`;
          };
          const isTyping = this.state === 'initial' || this.state === 'active';
          return frame(this, message, {
            body: list(this, offered, chosen, style),
            ...(isTyping ? { problem: problem(chosen) ?? '' } : {}),
            help: `Space selects, Enter continues${wayBack(hasPrevious)}`,
          });
        },
      });
      return answerOf(prompt.prompt());
    },
  };
}

function wayBack(hasPrevious: boolean): string {
  return hasPrevious ? ', Shift+Tab goes back' : ', Escape cancels';
}

/** @throws UserError with exit code 130 if the person leaves */
async function answerOf<Value>(
  question: Promise<Value | typeof clack.CANCEL_SYMBOL | undefined>,
): Reply<Value> {
  let lastKey: string | undefined;
  const remember = (_: string, key: { sequence?: string }) => {
    lastKey = key.sequence;
  };
  process.stdin.on('keypress', remember);
  const value = await question.finally(() => process.stdin.off('keypress', remember));
  if (!clack.isCancel(value)) return value as Value;
  if (lastKey === shiftTab) return back;
  throw cancelled();
}
