import { UserError } from '../errors.js';
import { suggestion } from '../nearest.js';
import type { FlagValues } from './flags.js';
import { nameProblem } from './project-name.js';
import { type Answers, flagOf, type GivenAnswers, type Question } from './questions.js';

/**
 * Checks answers; some may be missing. Names are put in the catalog's order, each once: the order in which people name
 * things must not change a byte.
 * @param origin where they come from, as the beginning of the message: a file's name, or nothing for flags
 * @throws UserError with the nearest valid name
 */
export function checkAnswers(questions: Question[], given: unknown, origin = ''): GivenAnswers {
  return checked(questions, given, origin, () => false);
}

/** The answers that flags give. @throws UserError as `checkAnswers` does */
export function answersFromFlags(questions: Question[], flags: FlagValues): GivenAnswers {
  return checkAnswers(questions, Object.fromEntries(questions.map(({ key }) => [key, flags[key]])));
}

/** Checks a whole set of answers. @throws UserError as `checkAnswers` does */
export function checkAll(questions: Question[], answers: unknown): Answers {
  // Safe: every question of `Answers` is required.
  return checked(questions, answers, undefined, ({ onlyWith }) => !onlyWith) as Answers;
}

function checked(
  questions: Question[],
  given: unknown,
  origin: string | undefined,
  isRequired: (question: Question) => boolean,
): GivenAnswers {
  const refusal = (message: string, hint?: string) =>
    new UserError(origin ? `${origin}: ${message}` : message, hint);
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw refusal('the answers must be a JSON object.');
  }
  const values = new Map<string, unknown>(Object.entries(given));
  const answered = questions.filter(
    (question) => values.get(question.key) !== undefined || isRequired(question),
  );
  const answers = answered.map((question) => {
    // A command line has flags, files have keys.
    const name = origin === '' ? flagOf(question) : JSON.stringify(question.key);
    return [question.key, checkedAnswer(question, name, values.get(question.key), refusal)];
  });
  const keys: string[] = questions.map(({ key }) => key);
  const unknown = [...values.keys()].find((key) => !keys.includes(key));
  if (unknown !== undefined) {
    const message = `there is no answer named ${JSON.stringify(unknown)}.`;
    throw refusal(message, suggestion(unknown, keys));
  }
  return Object.fromEntries(answers);
}

function checkedAnswer(
  question: Question,
  name: string,
  value: unknown,
  refusal: (message: string, hint?: string) => UserError,
): string | string[] {
  const { kind, choices, needsOne } = question;
  const values = choices.map((choice) => choice.value);
  const isList = kind === 'several';
  const wrongType = () => refusal(`${name} must be ${typeOf(question)}.`);
  if (Array.isArray(value) !== isList) throw wrongType();
  const given: unknown[] = [value].flat();
  for (const each of given) {
    if (typeof each !== 'string') throw wrongType();
    if (kind !== 'text' && !values.includes(each)) {
      const message = `${name}: there is no ${JSON.stringify(each)}.`;
      throw refusal(message, suggestion(each, values));
    }
    const problem = kind === 'text' && nameProblem(each);
    if (problem) {
      const message = `The name ${JSON.stringify(each)} ${problem}.`;
      throw refusal(message, 'Choose another with --name.');
    }
  }
  if (!isList) return String(value);
  if (needsOne && given.length === 0) throw refusal(`${name}: choose at least one.`);
  return values.filter((each) => given.includes(each));
}

/** The expected type, which only a file can get wrong. */
function typeOf({ kind, choices: [choice, other] }: Question): string {
  const quoted = [choice, other].flatMap((each) => (each ? [JSON.stringify(each.value)] : []));
  if (kind === 'several') return `a list of names, such as [${quoted.join(', ')}]`;
  return kind === 'one' ? `one name, such as ${quoted[0]}` : 'a string, such as "my-auth"';
}
