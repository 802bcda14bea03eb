import gt from 'semver/functions/gt.js';

/** True if the first version comes after the second, as semver orders them. */
export function isNewer(version: string, than: string): boolean {
  return gt(version, than);
}
