import { emittedPath } from '../../src/catalog/read-sources.js';

// Read by tools here, or dropped by npm, if it stood in a layer under its own name.
const readHere = /^(biome|package|tsconfig(\.\w+)?)\.json$/;

/**
 * The path below `files/` that is emitted to this one.
 * @throws Error if there is none
 */
export function templatePath(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const folder = path.slice(0, path.length - name.length);
  const hidden = readHere.test(name) ? `_${name}` : name.replace(/^\.([^.]+)$/, '_$1');
  const found = [hidden, name].find((each) => emittedPath(folder + each) === path);
  if (found === undefined) throw new Error(`no template is emitted to ${path}`);
  return folder + found;
}
