import type { Question } from './questions.js';
import type { Request } from './request.js';

/** The answers for people, one per line, titles in a column. */
export function summaryLines(questions: Question[], { directory, answers }: Request): string[] {
  const answered = questions.filter(({ key }) => answers[key] !== undefined);
  const lines = answered.map(({ key, title, choices }) => {
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
