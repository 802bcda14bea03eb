import {
  type Catalog,
  choicesOf,
  layerNamed,
  layersOf,
  neededAbilities,
  neededBy,
} from '../catalog/catalog.js';
import { oneOf } from '../catalog/choose-layers.js';
import type { Layer } from '../catalog/layer.js';
import { UserError } from '../errors.js';
import { suggestion } from '../nearest.js';
import { type Question, questionsFrom, valuesOf } from './questions.js';

const namedGroups = ['method', 'feature', 'choice'] as const;

/** False for layers that nobody chooses individually. */
function isNamed({ group }: Layer): boolean {
  return namedGroups.some((each) => each === group);
}

/**
 * What can be added and removed by name: methods, features, then the choices within them, each in the catalog's order.
 */
export function namedLayers(catalog: Catalog): Layer[] {
  return namedGroups.flatMap((group) => layersOf(catalog, group));
}

function listQuestions(catalog: Catalog): Question[] {
  return questionsFrom(catalog).filter(({ kind }) => kind === 'several');
}

/** The named layers that the answers contain. */
export function chosenNames(catalog: Catalog, answers: object): Set<string> {
  return new Set(listQuestions(catalog).flatMap(({ key }) => valuesOf(answers, key)));
}

/** The answers with exactly these layers chosen; an empty answer is left out, except `methods` and `features`. */
function answersWith(catalog: Catalog, answers: object, chosen: ReadonlySet<string>): object {
  const lists = listQuestions(catalog).map(({ key, choices, onlyWith }) => {
    const names = choices.map(({ value }) => value).filter((name) => chosen.has(name));
    return [key, names.length > 0 || onlyWith === undefined ? names : undefined];
  });
  return { ...answers, ...Object.fromEntries(lists) };
}

/** The named layers that a layer requires. */
function namedNeeds(catalog: Catalog, layer: Layer): Layer[] {
  return neededBy(catalog, layer).filter(isNamed);
}

/**
 * Checks the names of what people want to add or remove.
 * @returns the names, each once
 * @throws UserError for a name that does not exist or cannot be added or removed, saying what to do instead
 */
export function checkNames(
  catalog: Catalog,
  given: string[],
  { isRemoval = false } = {},
): string[] {
  const names = [...new Set(given.flatMap((each) => each.split(',')))].filter(
    (name) => name !== '',
  );
  // For example an unset variable in a script.
  if (names.length === 0) throw new UserError('The name is empty.');
  for (const name of names) refuseOther(catalog, name, isRemoval);
  return names;
}

function refuseOther(catalog: Catalog, name: string, isRemoval: boolean): void {
  const layer = catalog.find((each) => each.name === name);
  if (layer && isNamed(layer)) return;
  if (!layer || layer.group === 'base') {
    const all = namedLayers(catalog).map((each) => each.name);
    throw new UserError(`There is no ${JSON.stringify(name)}.`, suggestion(name, all));
  }
  if (layer.group === 'internal') throw comesWithOthers(catalog, layer);
  const others = layersOf(catalog, layer.group).filter((each) => each !== layer);
  const [to = name, ...rest] = isRemoval ? others.map((each) => each.name) : [];
  throw new UserError(
    `A project has exactly one ${layer.group}.`,
    tryWith('To change it', `change --${layer.group} ${to}`, rest),
  );
}

function comesWithOthers(catalog: Catalog, { name }: Layer): UserError {
  const others = catalog.filter(
    (layer) =>
      layer.group !== 'internal' && neededBy(catalog, layer).some((each) => each.name === name),
  );
  const them = others.map((each) => each.name);
  const single = others.find((layer) => !isNamed(layer));
  const change = single && `npx create-auth-service change --${single.group} ${single.name}`;
  return new UserError(`${name} cannot be chosen by itself: it comes with ${oneOf(them)}.`, change);
}

/** The result of adding layers. */
interface Addition {
  answers: object;
  /** Layers that were asked for and were not there. */
  added: string[];
  /** Layers added because another one needs them, each with that one. */
  along: { name: string; neededBy: string }[];
}

/**
 * Adds layers to the answers, with those that they need. A layer with choices of its own brings the choices that are
 * named with it, or else its default ones.
 * @param names have been checked
 */
export function addLayers(catalog: Catalog, answers: object, names: string[]): Addition {
  const chosen = chosenNames(catalog, answers);
  const added = names.filter((name) => !chosen.has(name));
  const along: Addition['along'] = [];
  const take = (name: string, because: string) => {
    if (chosen.has(name)) return;
    chosen.add(name);
    if (!added.includes(name)) along.push({ name, neededBy: because });
  };
  for (const name of added) {
    chosen.add(name);
    for (const needed of namedNeeds(catalog, layerNamed(catalog, name))) take(needed.name, name);
  }
  for (const { name } of catalog.filter((layer) => chosen.has(layer.name) && layer.choices)) {
    const choices = choicesOf(catalog, name);
    if (choices.some((choice) => chosen.has(choice.name))) continue;
    for (const choice of choices) if (choice.default) take(choice.name, name);
  }
  refuseUseless(catalog, chosen, (name, [giver = '', ...others]) =>
    tryWith('Both', `add ${[...new Set([...names, name, giver])].join(' ')}`, others),
  );
  return { answers: answersWith(catalog, answers, chosen), added, along };
}

/**
 * Takes layers out of the answers, with the choices within them.
 * @param names have been checked
 * @returns the answers, and the layers that were asked for and were there
 * @throws UserError if a remaining layer needs one of them, or a layer would be left without a choice
 */
export function removeLayers(catalog: Catalog, answers: object, names: string[]) {
  const chosen = chosenNames(catalog, answers);
  const removed = names.filter((name) => chosen.has(name));
  const choices = removed.flatMap((name) => choicesOf(catalog, name).map((choice) => choice.name));
  const gone = new Set([...removed, ...choices]);
  const left = new Set([...chosen].filter((name) => !gone.has(name)));
  const needing = needingOf(catalog, left, gone);
  // What would be left if these went too: that is suggested only if it would be accepted.
  const rest = new Set([...left].filter((name) => !needing.some((each) => each.name === name)));
  if (!layersOf(catalog, 'method').some(({ name }) => rest.has(name))) {
    throw new UserError(
      `Without ${removed.join(', ')} nobody could sign in: a project has at least one method.`,
      'First add the method that replaces it: npx create-auth-service add <name>',
    );
  }
  refuseUseless(catalog, rest, (_, givers) => {
    const [giver = '', ...others] = givers.filter((each) => !chosen.has(each));
    return giver === '' ? `Keep ${oneOf(givers)}.` : tryWith('First', `add ${giver}`, others);
  });
  refuseIfNeeded(needing, removed);
  for (const name of left) refuseWithoutChoice(catalog, name, left, gone);
  return { answers: answersWith(catalog, answers, left), removed };
}

/** A hint: a command to type, and alternatives to its last word. */
function tryWith(when: string, command: string, others: string[]): string {
  const instead = others.length > 0 ? `, or ${oneOf(others)} in its place` : '';
  return `${when}: npx create-auth-service ${command}${instead}`;
}

/** @throws UserError if nobody could ever use one of the layers, with a hint naming those that would help */
function refuseUseless(
  catalog: Catalog,
  chosen: ReadonlySet<string>,
  hint: (name: string, givenBy: string[]) => string,
): void {
  for (const name of chosen) {
    for (const { because, givenBy } of neededAbilities(catalog, layerNamed(catalog, name))) {
      if (givenBy.some((each) => chosen.has(each))) continue;
      throw new UserError(`${name} needs ${oneOf(givenBy)}: ${because}.`, hint(name, givenBy));
    }
  }
}

/** The layers left that need one of those that go, each with the first of these. */
function needingOf(catalog: Catalog, left: ReadonlySet<string>, gone: ReadonlySet<string>) {
  return [...left].flatMap((name) => {
    const needs = namedNeeds(catalog, layerNamed(catalog, name));
    const needed = needs.find((each) => gone.has(each.name));
    return needed ? [{ name, needed: needed.name }] : [];
  });
}

function refuseIfNeeded(needing: ReturnType<typeof needingOf>, removed: string[]): void {
  if (needing.length === 0) return;
  const names = needing.map(({ name }) => name);
  throw new UserError(
    `${needing.map(({ name, needed }) => `${name} needs ${needed}`).join(', ')}.`,
    `Remove ${names.join(', ')} too: npx create-auth-service remove ${[...removed, ...names].join(' ')}`,
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
    `Remove it as a whole: npx create-auth-service remove ${name}`,
  );
}
