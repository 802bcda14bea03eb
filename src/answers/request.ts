import { basename, resolve } from 'node:path';
import { checkAll } from './check.js';
import { defaultsFor } from './defaults.js';
import { packageNameRemark } from './project-name.js';
import {
  type AnswerKey,
  type Answers,
  type GivenAnswers,
  isRelevant,
  type Question,
} from './questions.js';

/** Where the project goes, and what it is made of. */
export interface Request {
  directory: string;
  answers: Answers;
  /** Sentences about choices added because another needs them, defaults that do not fit, and the package's name. */
  remarks: string[];
}

const standardDirectory = 'my-auth';

/** Fills open answers with the defaults that fit the rest, and with the package manager that runs this program. */
export function completed(
  questions: Question[],
  given: GivenAnswers,
  directory: string = given.name === undefined ? standardDirectory : basename(given.name),
): Request {
  const name = given.name ?? basename(resolve(directory));
  const { defaults, remarks } = defaultsFor(questions, given);
  const answers = checkAll(questions, { ...defaults, ...given, name });
  const needless = needlessAnswers(questions, answers).map(({ key }) => key as string);
  const kept = Object.entries(answers).filter(([key]) => !needless.includes(key));
  return {
    directory,
    answers: Object.fromEntries(kept) as Answers,
    remarks: [...remarks, ...packageNameRemark(name)],
  };
}

/** The questions that are answered although the layers that they are about are not chosen. */
export function needlessAnswers(questions: Question[], answers: GivenAnswers): Question[] {
  return questions.filter((each) => each.key in answers && !isRelevant(each, answers));
}

/** What people are told about an answer that is dropped because its layer is not chosen. */
export function leftOut({ key, onlyWith }: Question): string {
  return `${key} is left out: it needs ${onlyWith}, which is not chosen.`;
}

export type Step = 'directory' | AnswerKey;

/**
 * The questions still to be asked, in order.
 * @param answers the given ones, completed: they tell which questions make sense
 */
export function openSteps(
  questions: Question[],
  given: GivenAnswers,
  directory: string | undefined,
  answers: Answers,
): Step[] {
  const keys = questions
    .filter(({ key, isAsked }) => isAsked && given[key] === undefined)
    .filter((question) => isRelevant(question, answers))
    .map(({ key }) => key);
  return directory === undefined && given.name === undefined ? ['directory', ...keys] : keys;
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
