import { fileURLToPath } from 'node:url';
import { FIRST, type Kind, nameOf } from './kinds.js';

const fromRoot = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url));

/** The repository. */
export const root = fromRoot('');
/** All that the bench writes; ignored by git. */
export const workFolder = fromRoot('playground/bench');
/** The bench's own processes, as JavaScript. */
export const processFolder = fromRoot('playground/bench/processes');
/** Where a service of that kind is emitted. */
export function serviceFolderOf(kind: Kind): string {
  return kind === FIRST ? serviceFolder : fromRoot(`playground/bench/${nameOf(kind)}`);
}
/** The emitted service of the first kind. */
export const serviceFolder = fromRoot('playground/bench/service');
/** Where each module of a service is by itself, below the service's folder. */
export const MODULES = 'modules';
