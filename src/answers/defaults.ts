import { runningPackageManager } from './package-managers.js';
import type { AnswerKey, Choice, GivenAnswers, Question } from './questions.js';

/** The answers used where nobody gives one; the name comes from the directory. */
interface Defaults {
  defaults: Record<string, unknown>;
  /** A sentence about each default that does not fit what was chosen. */
  remarks: string[];
}

/** The possible default answers to a question, best first. */
interface Candidates {
  key: AnswerKey;
  choices: Choice[];
  /** How many of them are taken. */
  taken: number;
  /** How many of them must stay: why the last one does not fit is explained where it is refused. */
  least: number;
}

/**
 * The first of a question's choices, or all marked as default, without those that do not fit the rest.
 * @param unwanted choices that are not used as defaults
 * @param preferred answers that are used in place of those marked as default
 */
export function defaultsFor(
  questions: Question[],
  given: GivenAnswers,
  unwanted: string[] = [],
  preferred: GivenAnswers = {},
): Defaults {
  const all = questions.map(({ key, kind, choices, needsOne }): Candidates => {
    const named = preferred[key] && [preferred[key]].flat();
    const wanted = choices.filter(({ value }) => !unwanted.includes(value));
    const marked = wanted.filter(({ value, isDefault }) => named?.includes(value) ?? isDefault);
    const several = { taken: Number.POSITIVE_INFINITY, least: needsOne ? 1 : 0 };
    if (kind === 'several') return { key, choices: marked, ...several };
    const inOrder = named ? marked : [...new Set([...marked, ...wanted])];
    return { key, choices: inOrder, taken: 1, least: 1 };
  });
  const remarks: string[] = [];
  // Another default may need what is left out.
  for (
    let impossible = findImpossible(all, given);
    impossible;
    impossible = findImpossible(all, given)
  ) {
    const { question, choice, reason } = impossible;
    question.choices = question.choices.filter((each) => each !== choice);
    remarks.push(`${choice.value} is left out: ${reason}.`);
  }
  const defaults = questions.map(({ key, kind }) => {
    const values = all.find((each) => each.key === key)?.choices.map(({ value }) => value) ?? [];
    return [key, kind === 'several' ? values : values[0]];
  });
  const packageManager = runningPackageManager(process.env.npm_config_user_agent);
  return { defaults: { ...Object.fromEntries(defaults), packageManager }, remarks };
}

/** A default that needs something not chosen, or excludes something chosen. */
function findImpossible(all: Candidates[], given: GivenAnswers) {
  const open = all.filter(({ key }) => !(key in given));
  const takenOf = ({ choices, taken }: Candidates) => choices.slice(0, taken);
  const defaults = open.flatMap(takenOf).map(({ value }) => value);
  const chosen = [...Object.values(given).flat(), ...defaults];
  const free = open.filter(({ choices, least }) => choices.length > least);
  // Leave out one of several rather than the only candidate of another question.
  for (const question of free.sort((a, b) => b.taken - a.taken)) {
    for (const choice of takenOf(question)) {
      const reason = whyImpossible(choice, chosen);
      if (reason) return { question, choice, reason };
    }
  }
  return undefined;
}

/** Why the choice is impossible together with what is chosen, as the end of a sentence. */
export function whyImpossible(
  { needs, needsOneOf, excludes }: Choice,
  chosen: string[],
): string | undefined {
  const missing = needs.find((name) => !chosen.includes(name));
  if (missing) return `it needs ${missing}, which is not chosen`;
  const useless = needsOneOf.find(({ givenBy }) => !givenBy.some((name) => chosen.includes(name)));
  if (useless) return useless.because;
  const excluded = excludes.find((name) => chosen.includes(name));
  return excluded && `it cannot be combined with ${excluded}`;
}
