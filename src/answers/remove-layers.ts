import { type Catalog, choicesOf, layerNamed } from '../catalog/catalog.js';
import { UserError } from '../errors.js';
import { answersWith, chosenNames, neededBy } from './chosen-layers.js';

/** What becomes of the answers. */
export interface Removal {
  answers: object;
  /** Those that were asked for and were there. */
  removed: string[];
}

/**
 * Takes layers out of the answers, with the choices within them.
 * @param names have been checked
 * @throws UserError if one that stays needs one of them, or a layer would be left without a choice
 */
export function removeLayers(catalog: Catalog, answers: object, names: string[]): Removal {
  const chosen = chosenNames(catalog, answers);
  const removed = names.filter((name) => chosen.has(name));
  const choices = removed.flatMap((name) => choicesOf(catalog, name).map((choice) => choice.name));
  const gone = new Set([...removed, ...choices]);
  const left = new Set([...chosen].filter((name) => !gone.has(name)));
  for (const name of left) refuseIfNeeded(catalog, name, gone, removed);
  for (const name of left) refuseWithoutChoice(catalog, name, left, gone);
  return { answers: answersWith(catalog, answers, left), removed };
}

function refuseIfNeeded(
  catalog: Catalog,
  name: string,
  gone: ReadonlySet<string>,
  removed: string[],
): void {
  const needed = neededBy(catalog, layerNamed(catalog, name)).find((each) => gone.has(each.name));
  if (!needed) return;
  throw new UserError(
    `${name} needs ${needed.name}.`,
    1,
    `Remove both: create-auth-service remove ${[...removed, name].join(' ')}`,
  );
}

function refuseWithoutChoice(
  catalog: Catalog,
  name: string,
  left: ReadonlySet<string>,
  gone: ReadonlySet<string>,
): void {
  const choices = choicesOf(catalog, name);
  const hadSome = choices.some((choice) => gone.has(choice.name));
  if (!hadSome || choices.some((choice) => left.has(choice.name))) return;
  throw new UserError(
    `${name} would be left with nothing to choose from.`,
    1,
    `Remove it as a whole: create-auth-service remove ${name}`,
  );
}
