import { gt, minVersion, satisfies, validRange } from '../../packages/semver.js';
import type { Arbiter } from './by-key.js';

const dependencyKeys = [
  'dependencies',
  'devDependencies',
  'optionalDependencies',
  'peerDependencies',
];

/**
 * A dependency that both sides have changed gets the higher range that satisfies the template. The team's range is a
 * conflict only if it is higher and outside what the template was tested with.
 */
export const higherRange: Arbiter = (path, _base, yours, theirs) => {
  const isDependency = path.length === 2 && dependencyKeys.includes(String(path[0]));
  if (!isDependency || typeof yours !== 'string' || typeof theirs !== 'string') return undefined;
  const [lowest, templates] = [lowestOf(yours), lowestOf(theirs)];
  if (!lowest || !templates) return undefined;
  if (satisfies(lowest, theirs)) return { value: yours };
  if (gt(lowest, templates)) return undefined;
  return { value: theirs, note: `${theirs} instead of your ${yours}` };
};

function lowestOf(range: string) {
  return validRange(range) === null ? null : minVersion(range);
}
