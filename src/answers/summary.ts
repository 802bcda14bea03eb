import { packageNameOf } from './project-name.js';
import type { Request } from './request.js';
import { type AnswersSchema, questionsOf } from './schema.js';

/** The answers as people read them, one a line, titles in a column. */
export function summaryLines(schema: AnswersSchema, { directory, answers }: Request): string[] {
  const answered = questionsOf(schema).filter(([key]) => answers[key] !== undefined);
  const lines = answered.map(([key, { title, choices }]) => {
    const values = [answers[key]].flat();
    const titles = values.map(
      (value) => choices.find((one) => one.value === value)?.title ?? value,
    );
    return [title, titles.join(', ') || 'none'] as const;
  });
  const widest = Math.max(...lines.map(([title]) => title.length));
  return [['Directory', directory] as const, ...lines].map(
    ([title, text]) => `${title.padEnd(widest)}  ${text}`,
  );
}

/** What becomes of a name that npm does not take as it is; undefined if it does. */
export function renamedPackage(name: string): string | undefined {
  const packageName = packageNameOf(name);
  return packageName === name ? undefined : packageName;
}
