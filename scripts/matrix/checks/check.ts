import type { Catalog } from '../../../src/catalog/catalog.js';
import type { Combination } from '../offers.js';

/** How a service's own tests are run. */
export interface TestOptions {
  /** How many processes they may use. */
  workers: number;
  /** How often each service under test is started; once if absent. */
  instances?: number | undefined;
  share?: Share | undefined;
}

/** One of several equal parts, counted from 0. */
export interface Share {
  index: number;
  of: number;
}

/** A combination as it lies on the disk. */
export interface Emitted extends TestOptions {
  catalog: Catalog;
  combination: Combination;
  folder: string;
}

/** Looks at an emitted service. @returns what is wrong with it, in words; undefined if nothing is */
export type Check = (emitted: Emitted) => Promise<string | undefined> | string | undefined;
