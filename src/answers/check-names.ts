import type { Catalog } from '../catalog/catalog.js';
import type { Layer } from '../catalog/layer.js';
import { UserError } from '../errors.js';
import { suggestion } from './check.js';
import { answerOf, namedLayers } from './chosen-layers.js';

/**
 * Checks what people want to add or to remove.
 * @returns the names, each once
 * @throws UserError for a name that does not exist or is no matter of adding and removing, saying what to do instead
 */
export function checkNames(catalog: Catalog, given: string[]): string[] {
  const names = [...new Set(given.flatMap((each) => each.split(',')))].filter(
    (name) => name !== '',
  );
  for (const name of names) refuseOther(catalog, name);
  return names;
}

function refuseOther(catalog: Catalog, name: string): void {
  const layer = catalog.find((each) => each.name === name);
  if (layer && answerOf(catalog, layer) !== undefined) return;
  if (!layer || layer.group === 'base') {
    const all = namedLayers(catalog).map((each) => each.name);
    throw new UserError(`There is no ${JSON.stringify(name)}.`, 1, suggestion(name, all));
  }
  if (layer.group === 'internal') throw comesWithOthers(catalog, layer);
  throw new UserError(
    `A project has exactly one ${layer.group}.`,
    1,
    `To change it: create-auth-service change --${layer.group} ${name}`,
  );
}

function comesWithOthers(catalog: Catalog, { name }: Layer): UserError {
  const others = namedLayers(catalog).filter((layer) => needs(catalog, layer, name));
  const them = others.map((each) => each.name).join(', ');
  return new UserError(`${name} comes and goes with what needs it: ${them}.`);
}

function needs(catalog: Catalog, layer: Layer, name: string): boolean {
  return layer.requires.some((required) => {
    const next = catalog.find((each) => each.name === required);
    return required === name || (next !== undefined && needs(catalog, next, name));
  });
}
