import { packageManagers } from './package-managers.js';
import { flagOf, type Question } from './questions.js';
import type { Request } from './request.js';

/** The command that makes the same project again without asking anything. */
export function commandLine(
  questions: Question[],
  { directory, answers }: Request,
  version: string,
): string {
  const answered = questions.filter(({ key }) => answers[key] !== undefined);
  const flags = answered.flatMap((question) => {
    const values = [answers[question.key]].flat();
    return [flagOf(question), quoted(values.join(',') || 'none')];
  });
  const { once } = packageManagers[answers.packageManager];
  return [`${once} create-auth-service@${version}`, quoted(directory), ...flags].join(' ');
}

/** Quoted, if it has to be, so that a POSIX shell reads it as one word. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : inQuotes(word);
}

/** A text as one word of a POSIX shell. */
export function inQuotes(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

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
