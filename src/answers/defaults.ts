import { runningPackageManager } from './package-managers.js';
import type { Choice } from './questions.js';
import { type AnswerKey, type AnswersSchema, type GivenAnswers, questionsOf } from './schema.js';

/** The answers used where nobody gives one; the name comes from the directory. */
export interface Defaults {
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
}

/**
 * The first of a question's choices, or all marked as default, without those that do not fit the rest.
 * @param unwanted choices that are not used as defaults
 */
export function fittingDefaults(
  schema: AnswersSchema,
  given: GivenAnswers,
  unwanted: string[] = [],
): Defaults {
  const all = questionsOf(schema).map(([key, { kind, choices }]): Candidates => {
    const wanted = choices.filter(({ value }) => !unwanted.includes(value));
    const marked = wanted.filter(({ isDefault }) => isDefault);
    if (kind === 'several') return { key, choices: marked, taken: Number.POSITIVE_INFINITY };
    return { key, choices: [...new Set([...marked, ...wanted])], taken: 1 };
  });
  const remarks: string[] = [];
  // Another default may need what is left out.
  for (let misfit = findMisfit(all, given); misfit; misfit = findMisfit(all, given)) {
    const { question, choice, reason } = misfit;
    question.choices = question.choices.filter((each) => each !== choice);
    remarks.push(`${choice.value} is left out: ${reason}.`);
  }
  const defaults = questionsOf(schema).map(([key, { kind }]) => {
    const values = all.find((each) => each.key === key)?.choices.map(({ value }) => value) ?? [];
    return [key, kind === 'several' ? values : values[0]];
  });
  const packageManager = runningPackageManager(process.env.npm_config_user_agent);
  return { defaults: { ...Object.fromEntries(defaults), packageManager }, remarks };
}

/** A default that needs something not chosen, or excludes something chosen. */
function findMisfit(all: Candidates[], given: GivenAnswers) {
  const open = all.filter(({ key }) => !(key in given));
  const takenOf = ({ choices, taken }: Candidates) => choices.slice(0, taken);
  const defaults = open.flatMap(takenOf).map(({ value }) => value);
  const chosen = [...Object.values(given).flat(), ...defaults];
  // A question with one answer keeps its last candidate: the refusal explains why it does not fit.
  const free = open.filter(({ choices, taken }) => taken > 1 || choices.length > 1);
  // Leave out one of several rather than the only candidate of another question.
  for (const question of free.sort((a, b) => b.taken - a.taken)) {
    for (const choice of takenOf(question)) {
      const reason = misfitOf(choice, chosen);
      if (reason) return { question, choice, reason };
    }
  }
  return undefined;
}

/** Why the choice is impossible together with what is chosen, as the end of a sentence. */
export function misfitOf(
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
