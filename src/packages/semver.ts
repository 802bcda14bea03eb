/** Versions. */
export { default as gt } from 'semver/functions/gt.js';
export { default as lte } from 'semver/functions/lte.js';
export { default as valid } from 'semver/functions/valid.js';
