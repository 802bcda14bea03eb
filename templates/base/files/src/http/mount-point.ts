import type { Config } from '../config.js';
import type { Route } from './route.js';

/** A route table and the prefix that it is mounted below. */
export interface MountPoint {
  /** The prefix, without a slash at its end; empty for the root. */
  prefixOf(config: Config): string;
  routes: Route[];
}
