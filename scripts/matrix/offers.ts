import { type Answers, answersSchema, questionsOf } from '../../src/answers/schema.js';
import { type Catalog, choicesOf } from '../../src/catalog/catalog.js';
import { chooseLayers } from '../../src/catalog/choose-layers.js';
import { UserError } from '../../src/errors.js';

/** One way to answer all questions; the name is that of its folder. */
export type Combination = Answers;

/** The answers that name layers. */
export type Choice = Pick<Combination, 'framework' | 'database' | 'methods' | 'features'>;

/** The answers to what layers ask about themselves, by key. */
export type OwnAnswers = Record<string, string[]>;

/** Everything that the questions offer. */
export function offers(catalog: Catalog) {
  const values = Object.fromEntries(
    questionsOf(answersSchema(catalog)).map(([key, { choices }]) => [
      key,
      choices.map(({ value }) => value),
    ]),
  );
  const { framework = [], database = [], methods = [], features = [] } = values;
  return { framework, database, methods, features };
}

/** Everything that layers offer within themselves. */
export function allOwn(catalog: Catalog): OwnAnswers {
  return Object.fromEntries(
    catalog.flatMap(({ name, choices }) =>
      choices ? [[choices.key, choicesOf(catalog, name).map((each) => each.name)]] : [],
    ),
  );
}

/** True if the choice has a method, and everything that its layers require. */
export function canBeChosen(catalog: Catalog, choice: Choice): boolean {
  if (choice.methods.length === 0) return false;
  try {
    chooseLayers(catalog, choice);
    return true;
  } catch (error) {
    if (error instanceof UserError) return false;
    throw error;
  }
}

/**
 * The named combination; undefined if it cannot be chosen. Answers to layers that are not chosen are dropped, or, if
 * `isStrict`, must not be there.
 */
export function combinationFrom(
  catalog: Catalog,
  choice: Choice,
  own: OwnAnswers,
  isStrict = false,
): Combination | undefined {
  if (!canBeChosen(catalog, choice)) return undefined;
  const asked = new Set(chooseLayers(catalog, choice).flatMap(({ choices }) => choices?.key ?? []));
  const relevant = Object.fromEntries(Object.entries(own).filter(([key]) => asked.has(key)));
  const isMissing = Object.values(relevant).some((values) => values.length === 0);
  const isIdle = Object.entries(own).some(([key, values]) => !asked.has(key) && values.length > 0);
  if (isMissing || (isStrict && isIdle)) return undefined;
  const { framework, database, methods, features } = choice;
  const all = allOwn(catalog);
  const within = Object.entries(relevant)
    .filter(([key, values]) => values.length < (all[key]?.length ?? 0))
    .flatMap(([, values]) => values);
  const name = [framework, database, ...methods, ...shortened(catalog, features), ...within];
  return { ...choice, ...relevant, packageManager: 'npm', name: name.join('-') };
}

/** Features as part of a name. Those left out must not be in it: it is the project's name. */
function shortened(catalog: Catalog, chosen: string[]): string[] {
  return chosen.length === offers(catalog).features.length ? ['everything'] : chosen;
}
