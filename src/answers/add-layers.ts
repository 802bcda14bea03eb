import { type Catalog, choicesOf, layerNamed } from '../catalog/catalog.js';
import { answersWith, chosenNames, neededBy, standardChoices } from './chosen-layers.js';

/** What becomes of the answers. */
export interface Addition {
  answers: object;
  /** Those that were asked for and were not there. */
  added: string[];
  /** Those that come along, each with the one that needs it. */
  along: { name: string; neededBy: string }[];
}

/**
 * Adds layers to the answers, with those that they need. A layer with choices of its own brings the choices that are
 * named with it, else those which are chosen by default.
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
    for (const needed of neededBy(catalog, layerNamed(catalog, name))) take(needed.name, name);
  }
  for (const { name } of catalog.filter((layer) => chosen.has(layer.name) && layer.choices)) {
    if (choicesOf(catalog, name).some((choice) => chosen.has(choice.name))) continue;
    for (const choice of standardChoices(catalog, layerNamed(catalog, name)))
      take(choice.name, name);
  }
  return { answers: answersWith(catalog, answers, chosen), added, along };
}
