import { Option } from 'commander';
import { UserError } from '../errors.js';
import { flagOf, type Question } from './questions.js';

/** The flags as commander has parsed them. */
export type FlagValues = Record<string, unknown>;

export const nothing = 'none';

/** The flags that give answers; a feature can also be left out by its own `--no-<feature>`. */
export function answerFlags(questions: Question[]): Option[] {
  return questions.flatMap((question) => {
    if (question.kind !== 'several') {
      return [new Option(`${flagOf(question)} <name>`, question.help)];
    }
    const list = new Option(
      `${flagOf(question)} <names>`,
      `${question.help} (comma-separated${question.needsOne ? '' : ', or none'}; default: ${defaultText(question)})`,
    );
    return [
      list.argParser(addToList),
      ...(question.key === 'features' ? leaveOutFlags(question) : []),
    ];
  });
}

/** The features left out by `--no-<feature>`. */
export function featuresLeftOut(questions: Question[], flags: FlagValues): string[] {
  return questions
    .filter(({ key }) => key === 'features')
    .flatMap(leaveOutFlags)
    .filter((flag) => flags[flag.attributeName()] === false)
    .map((flag) => flag.name().replace(/^no-/, ''));
}

/** What to type in place of `--no-<method>`; undefined for any other flag. Methods are chosen, not left out. */
export function methodsInstead(questions: Question[], flag: string): string | undefined {
  const choices = questions.find(({ key }) => key === 'methods')?.choices ?? [];
  if (!choices.some(({ value }) => flag === `--no-${value}`)) return undefined;
  const others = choices.filter(({ value, isDefault }) => isDefault && flag !== `--no-${value}`);
  const names = others.map(({ value }) => value).join(',');
  return `Methods are chosen with --methods, for example: --methods ${names}`;
}

function defaultText({ choices }: Question): string {
  const named = (isDefault: boolean) =>
    choices.filter((choice) => choice.isDefault === isDefault).map(({ value }) => value);
  const [marked, others] = [named(true), named(false)];
  if (others.length === 0) return 'all';
  return others.length < marked.length ? `all but ${others.join(', ')}` : marked.join(', ');
}

function leaveOutFlags({ choices }: Question): Option[] {
  return choices.map(({ value, title }) => new Option(`--no-${value}`, `leave out ${title}`));
}

function addToList(text: string, before: string[] = []): string[] {
  const names = text.split(',').map((name) => name.trim());
  if (names.includes(nothing) && names.length > 1) {
    throw new UserError(`"${nothing}" cannot be combined with other names.`);
  }
  return [...before, ...names.filter((name) => name !== '' && name !== nothing)];
}
