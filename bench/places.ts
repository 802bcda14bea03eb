import { fileURLToPath } from 'node:url';

const fromRoot = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url));

/** The repository. */
export const root = fromRoot('');
/** All that the bench writes; ignored by git. */
export const workFolder = fromRoot('playground/bench');
/** The bench's own processes, as JavaScript. */
export const processFolder = fromRoot('playground/bench/processes');
/** The emitted service. */
export const serviceFolder = fromRoot('playground/bench/service');
