import type { Catalog } from '../../../src/catalog/catalog.js';
import type { Combination } from '../offers.js';

/** A combination as it lies on the disk. */
export interface Emitted {
  catalog: Catalog;
  combination: Combination;
  folder: string;
  /** How many processes its own tests may use. */
  workers: number;
}

/** Looks at an emitted service. @returns what is wrong with it, in words; undefined if nothing is */
export type Check = (emitted: Emitted) => Promise<string | undefined> | string | undefined;
