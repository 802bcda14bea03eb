import { type Answers, valuesOf } from '../answers/questions.js';
import { UserError } from '../errors.js';
import { type Catalog, layerNamed, layersOf, neededAbilities } from './catalog.js';
import type { Layer, LayerGroup } from './layer.js';

type LayerAnswers = Pick<Answers, 'framework' | 'database' | 'methods' | 'features'>;

/**
 * The layers that the answers call for, each after those it requires: base, database, framework, then methods and
 * features, then the choices within them. Internal layers are added where others require them, or where all the layers
 * that they come with are chosen.
 * @throws ChoiceError if a chosen layer requires one that was not chosen, two layers exclude each other, or nobody
 *   could ever use one of them
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
  for (const layer of chosen) refuseUseless(catalog, layer, chosen);
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
    if (!wanted.includes(required) && required.group in flags) {
      throw new ChoiceError(
        layer,
        [required],
        (called) => `${called(layer)} needs ${called(required)}, which is not chosen.`,
      );
    }
    addAfterRequired(required, chosen, wanted, catalog);
  }
  if (!chosen.includes(layer)) chosen.push(layer);
}

function refuseConflicts(chosen: Layer[]): void {
  for (const layer of chosen) {
    const other = chosen.find(({ name }) => layer.conflicts.includes(name));
    if (other) {
      throw new ChoiceError(
        layer,
        [],
        (called) => `${called(layer)} and ${called(other)} exclude each other.`,
      );
    }
  }
}

function refuseUseless(catalog: Catalog, layer: Layer, chosen: Layer[]): void {
  for (const { because, givenBy } of neededAbilities(catalog, layer)) {
    if (chosen.some(({ name }) => givenBy.includes(name))) continue;
    const givers = givenBy.map((name) => layerNamed(catalog, name));
    throw new ChoiceError(
      layer,
      givers,
      (called) => `${called(layer)} needs ${oneOf(givers.map(called))}: ${because}.`,
    );
  }
}

/** The flags by which people choose layers; the other groups come with these. */
const flags: Partial<Record<LayerGroup, string>> = {
  method: '--methods',
  feature: '--features',
  framework: '--framework',
  database: '--database',
};

/** An impossible choice. The message is for whoever types flags; `whenAsked` is for whoever answers questions. */
export class ChoiceError extends UserError {
  /** What is wrong and what to do, in the words of the questions. */
  readonly whenAsked: string;

  /**
   * @param layer the one that is impossible
   * @param wanted layers of which any one would make it possible; none if it is one too many
   * @param problem a sentence that calls layers what they are called where it is read
   */
  constructor(
    readonly layer: Layer,
    wanted: Layer[],
    problem: (called: (layer: Layer) => string) => string,
  ) {
    const flag = wanted[0] && flags[wanted[0].group];
    const one = oneOf(wanted.map(({ name }) => name));
    const hint = `Add ${one}${flag ? ` to ${flag}` : ''}, or leave out ${layer.name}.`;
    super(
      problem(({ name }) => name),
      wanted.length === 0 ? 'Leave out one of them.' : hint,
    );
    const titles = oneOf(wanted.map(({ title }) => title));
    const remedy = titles ? `Choose ${titles} too, or leave it out.` : 'Leave out one of them.';
    this.whenAsked = `${problem(({ title }) => title)} ${remedy}`;
  }
}

/** `a`, `a or b`, `a, b or c`. */
export function oneOf(names: string[]): string {
  return [names.slice(0, -1).join(', '), ...names.slice(-1)].filter(Boolean).join(' or ');
}
