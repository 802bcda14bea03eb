import { type Catalog, choicesOf, layerNamed, layersOf } from '../catalog/catalog.js';
import type { Layer } from '../catalog/layer.js';
import { valuesOf } from './questions.js';

/** The answer in which a layer is named; undefined for those that nobody chooses one by one. */
export function answerOf(catalog: Catalog, { group, choiceOf }: Layer): string | undefined {
  if (group === 'method') return 'methods';
  if (group === 'feature') return 'features';
  return choiceOf === undefined ? undefined : layerNamed(catalog, choiceOf).choices?.key;
}

/** What can be added and removed by name: methods, features, then the choices within them, each in the catalog's order. */
export function namedLayers(catalog: Catalog): Layer[] {
  return (['method', 'feature', 'choice'] as const).flatMap((group) => layersOf(catalog, group));
}

/** Those of them that the answers name. */
export function chosenNames(catalog: Catalog, answers: object): Set<string> {
  const chosen = namedLayers(catalog).filter((layer) =>
    valuesOf(answers, answerOf(catalog, layer) ?? '').includes(layer.name),
  );
  return new Set(chosen.map(({ name }) => name));
}

/** The answers with exactly these layers chosen; an answer without any is left out unless it is always there. */
export function answersWith(
  catalog: Catalog,
  answers: object,
  chosen: ReadonlySet<string>,
): object {
  const named = namedLayers(catalog);
  const keys = new Set(named.map((layer) => answerOf(catalog, layer) ?? ''));
  const lists = [...keys].map((key) => {
    const of = named.filter((layer) => answerOf(catalog, layer) === key);
    return [key, of.map(({ name }) => name).filter((name) => chosen.has(name))] as const;
  });
  const others = Object.entries(answers).filter(([key]) => !keys.has(key));
  const given = lists.filter(
    ([key, names]) => names.length > 0 || key === 'features' || key === 'methods',
  );
  return Object.fromEntries([...others, ...given]);
}

/** The named layers that a layer cannot be without: the one it is a choice of, and all it requires, however indirectly. */
export function neededBy(catalog: Catalog, layer: Layer): Layer[] {
  const direct = [...layer.requires, ...(layer.choiceOf === undefined ? [] : [layer.choiceOf])];
  return direct.flatMap((name) => {
    const required = layerNamed(catalog, name);
    const further = neededBy(catalog, required);
    return answerOf(catalog, required) === undefined ? further : [required, ...further];
  });
}

/** The choices which come with a layer that is chosen without saying which. */
export function standardChoices(catalog: Catalog, { name }: Layer): Layer[] {
  return choicesOf(catalog, name).filter((choice) => choice.default);
}
