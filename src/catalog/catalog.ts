import type { Layer, LayerGroup } from './layer.js';

/** Every layer there is, in the order in which people see them. */
export type Catalog = readonly Layer[];

/** The layers that one question offers. */
export function layersOf(catalog: Catalog, group: LayerGroup): Layer[] {
  return catalog.filter((layer) => layer.group === group);
}

/** The layers that the question of one layer offers. */
export function choicesOf(catalog: Catalog, layerName: string): Layer[] {
  return catalog.filter(({ choiceOf }) => choiceOf === layerName);
}

/** @throws Error if there is no such layer: names from people are checked before they come here */
export function layerNamed(catalog: Catalog, name: string): Layer {
  const layer = catalog.find((candidate) => candidate.name === name);
  if (!layer) throw new Error(`there is no layer named ${name}`);
  return layer;
}

/** What a layer requires, directly or not, and the layer that it is a choice of. */
export function neededBy(catalog: Catalog, { requires, choiceOf }: Layer): Layer[] {
  return [...requires, ...(choiceOf === undefined ? [] : [choiceOf])].flatMap((name) => {
    const required = layerNamed(catalog, name);
    return [required, ...neededBy(catalog, required)];
  });
}

/** Layers of which one must be chosen with this layer, and why it is useless without them. */
export function neededAbilities(catalog: Catalog, { needs }: Layer) {
  return Object.entries(needs).map(([ability, because]) => ({
    because,
    givenBy: catalog.filter(({ gives }) => gives.includes(ability)).map(({ name }) => name),
  }));
}
