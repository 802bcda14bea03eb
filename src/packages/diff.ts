/** Patches. */
export { structuredPatch } from 'diff';
