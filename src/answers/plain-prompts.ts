import { createInterface } from 'node:readline';
import { cancelled } from '../errors.js';
import { back, type Offered, type Prompts, type Reply, wrapped } from './prompt.js';

type Read<Value> = { value: Value } | { problem: string };

const standardWidth = 80;
const goBack = 'back';

/**
 * Questions printed from top to bottom and answered by a line: for screen readers, and terminals that cannot move a
 * cursor. Nothing is redrawn, and colors carry no meaning.
 */
export function plainPrompts(output: NodeJS.WriteStream): Prompts {
  const say = (text: string) => {
    const width = (output.columns || standardWidth) - 1;
    for (const line of wrapped(text, width)) output.write(`${line}\n`);
  };

  /** Asks again until the answer has no problem. */
  async function ask<Value>(
    prompt: { message: string; help: string },
    read: (line: string) => Read<Value>,
  ): Reply<Value> {
    say(`\n${prompt.message}`);
    for (;;) {
      say(prompt.help);
      const line = await nextLine(output);
      if (line === goBack) return back;
      const answer = read(line);
      if ('value' in answer) return answer.value;
      say(answer.problem);
    }
  }

  function number(offered: Offered[], chosen: string[]): void {
    for (const [index, { value, label, about }] of offered.entries()) {
      const mark = chosen.includes(value) ? ' (selected)' : '';
      say(`${index + 1}. ${label}${mark}${about ? `: ${about}` : ''}`);
    }
  }

  const checked = <Value>(value: Value, problem: string | undefined): Read<Value> =>
    problem === undefined ? { value } : { problem };

  return {
    begin: () => say('create-auth-service. Type "back" to return to the previous question.'),
    tell: (title, lines) => {
      say(`\n${title}`);
      for (const line of lines) say(line);
    },
    end: say,

    text: ({ message, current, problem }) =>
      ask({ message, help: `Enter for ${current}:` }, (line) =>
        checked(line || current, problem(line || current)),
      ),

    async one({ message, offered, current, problem }) {
      say('');
      number(offered, current === undefined ? [] : [current]);
      const standard = offered.find(({ value }) => value === current) ?? offered[0];
      const help = `A number, or Enter for ${standard?.label}:`;
      return ask({ message, help }, (line) => {
        const found = line === '' ? standard : offered[Number(line) - 1];
        return found ? checked(found.value, problem(found.value)) : { problem: noNumber(line) };
      });
    },

    async several({ message, offered, current, problem }) {
      say('');
      number(offered, current);
      const help = 'Numbers separated by commas, none, or Enter for what is selected:';
      return ask({ message, help }, (line) => {
        if (line === '') return checked(current, problem(current));
        const words = line === 'none' ? [] : line.split(/[\s,]+/).filter(Boolean);
        const unknown = words.find((word) => offered[Number(word) - 1] === undefined);
        if (unknown !== undefined) return { problem: noNumber(unknown) };
        const values = words.flatMap((word) => offered[Number(word) - 1]?.value ?? []);
        return checked(values, problem(values));
      });
    },
  };
}

function noNumber(word: string): string {
  return `${JSON.stringify(word)} is not one of the numbers.`;
}

/** @throws UserError with exit code 130 if the person leaves */
function nextLine(output: NodeJS.WriteStream): Promise<string> {
  const lines = createInterface({ input: process.stdin, output });
  return new Promise((resolve, reject) => {
    // A line comes before the close that it causes: that close does not count as leaving.
    lines.once('line', (line) => {
      resolve(line.trim());
      lines.close();
    });
    lines.once('close', () => reject(cancelled()));
    lines.once('SIGINT', () => lines.close());
  });
}
