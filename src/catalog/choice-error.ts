import { UserError } from '../errors.js';
import type { Layer, LayerGroup } from './layer.js';

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
      1,
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
