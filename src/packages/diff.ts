/** Patches. */
export { formatPatch, structuredPatch } from 'diff';
