import { runningPackageManager } from './package-managers.js';
import type { Choice } from './questions.js';
import { type AnswersSchema, type GivenAnswers, questionsOf } from './schema.js';

/** What is answered where nobody says anything; the name comes from the directory. */
export interface Defaults {
  defaults: Record<string, unknown>;
  /** A sentence about each default that does not fit what was chosen. */
  leftOut: string[];
}

/**
 * The first of a question's choices, or all that are marked, without those that do not fit the rest.
 * @param unwanted are no defaults
 */
export function fittingDefaults(
  schema: AnswersSchema,
  given: GivenAnswers,
  unwanted: string[] = [],
): Defaults {
  const marked = questionsOf(schema).map(([key, { choices }]) => {
    const wanted = choices.filter(({ value }) => !unwanted.includes(value));
    return [key, wanted.filter(({ isDefault }) => isDefault)] as const;
  });
  const lists = new Map<string, Choice[]>(marked);
  const leftOut: string[] = [];
  // What is left out may be what another default needs.
  for (let misfit = findMisfit(lists, given); misfit; misfit = findMisfit(lists, given)) {
    const { key, choice, reason } = misfit;
    lists.set(key, lists.get(key)?.filter((each) => each !== choice) ?? []);
    leftOut.push(`${choice.value} is left out: ${reason}.`);
  }
  const defaults = questionsOf(schema).map(([key, { kind }]) => {
    const values = lists.get(key)?.map(({ value }) => value) ?? [];
    return [key, kind === 'several' ? values : values[0]];
  });
  const packageManager = runningPackageManager(process.env.npm_config_user_agent);
  return { defaults: { ...Object.fromEntries(defaults), packageManager }, leftOut };
}

/** A default that needs something which is not chosen, or excludes something which is. */
function findMisfit(lists: ReadonlyMap<string, Choice[]>, given: GivenAnswers) {
  const open = [...lists].filter(([key]) => !(key in given));
  const defaults = open.flatMap(([, choices]) => choices.map(({ value }) => value));
  const chosen = [...Object.values(given).flat(), ...defaults];
  for (const [key, choices] of open) {
    for (const choice of choices) {
      const missing = choice.needs.find((name) => !chosen.includes(name));
      if (missing) return { key, choice, reason: `it needs ${missing}, which is not chosen` };
      const excluded = choice.excludes.find((name) => chosen.includes(name));
      if (excluded) return { key, choice, reason: `it cannot be together with ${excluded}` };
    }
  }
  return undefined;
}
