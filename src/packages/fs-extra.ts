/** Folders and files written and removed with all that is above and below them. */
export { ensureDirSync, outputFileSync, removeSync } from 'fs-extra/esm';
