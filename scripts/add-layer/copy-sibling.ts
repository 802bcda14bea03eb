import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Layer } from '../../src/catalog/layer.js';
import { layerJson, titleOf } from './feature-files.js';
import type { Place } from './place.js';

/**
 * Makes a database or a framework as a copy of its sibling under another name: it compiles and passes all tests from the
 * first minute, and is then rewritten file by file.
 */
export function copySibling(sibling: Layer, { name, folder }: Place, order: number): void {
  cpSync(sibling.folder, folder, {
    recursive: true,
    filter: (path) => basename(path) !== 'node_modules',
  });
  rewrite('layer.json', (says) => {
    const title = titleOf(name);
    return {
      ...says,
      title,
      hint: `${title}, so far a copy of ${sibling.title}`,
      default: false,
      order,
    };
  });
  rewrite('package.json', (says) => ({ ...says, name: `@templates/${name}` }));

  function rewrite(file: string, change: (says: object) => object): void {
    const path = join(folder, file);
    writeFileSync(path, layerJson(change(JSON.parse(readFileSync(path, 'utf8')) as object)));
  }
}
