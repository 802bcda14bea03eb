import { valuesOf } from '../answers/questions.js';
import type { Answers } from '../answers/schema.js';
import { UserError } from '../errors.js';
import { type Catalog, layerNamed, layersOf } from './catalog.js';
import type { Layer } from './layer.js';

const offered = {
  method: '--methods',
  feature: '--features',
  framework: '--framework',
  database: '--database',
};

type LayerAnswers = Pick<Answers, 'framework' | 'database' | 'methods' | 'features'>;

/**
 * The layers that the answers call for, each after those it requires: base, database, framework, then methods and
 * features, then the choices within them. Internal layers are added as others require them, or where all are there that
 * they come with.
 * @throws UserError if a chosen layer requires one that was not chosen, or two of them exclude each other
 */
export function chooseLayers(catalog: Catalog, answers: LayerAnswers): Layer[] {
  const { framework, database, methods, features } = answers;
  const named = [database, framework, ...[...methods, ...features].sort()];
  const wanted = [...layersOf(catalog, 'base'), ...named.map((name) => layerNamed(catalog, name))];
  const chosen: Layer[] = [];
  for (const layer of wanted) addAfterRequired(layer, chosen, wanted, catalog);
  for (const { choices } of [...chosen]) {
    const names = choices ? valuesOf(answers, choices.key) : [];
    for (const name of [...names].sort()) {
      addAfterRequired(layerNamed(catalog, name), chosen, wanted, catalog);
    }
  }
  for (const layer of catalog) if (comesBySelf(layer, chosen)) chosen.push(layer);
  refuseConflicts(chosen);
  return chosen;
}

function comesBySelf({ comesWith }: Layer, chosen: Layer[]): boolean {
  const names = chosen.map(({ name }) => name);
  return comesWith.length > 0 && comesWith.every((name) => names.includes(name));
}

function addAfterRequired(layer: Layer, chosen: Layer[], wanted: Layer[], catalog: Catalog): void {
  if (chosen.includes(layer)) return;
  for (const name of [...layer.requires].sort()) {
    const required = layerNamed(catalog, name);
    if (!wanted.includes(required) && required.group in offered) refuseMissing(layer, required);
    addAfterRequired(required, chosen, wanted, catalog);
  }
  if (!chosen.includes(layer)) chosen.push(layer);
}

function refuseMissing(layer: Layer, required: Layer): never {
  const flag = offered[required.group as keyof typeof offered];
  throw new UserError(
    `${layer.name} needs ${required.name}, which is not chosen.`,
    1,
    `Add ${required.name} to ${flag}, or leave out ${layer.name}.`,
  );
}

function refuseConflicts(chosen: Layer[]): void {
  for (const layer of chosen) {
    const other = chosen.find(({ name }) => layer.conflicts.includes(name));
    if (other) {
      throw new UserError(
        `${layer.name} and ${other.name} exclude each other.`,
        1,
        'Leave out one of them.',
      );
    }
  }
}
