/** Ranges of versions. */
export { default as gt } from 'semver/functions/gt.js';
export { default as satisfies } from 'semver/functions/satisfies.js';
export { default as minVersion } from 'semver/ranges/min-version.js';
export { default as validRange } from 'semver/ranges/valid.js';
