import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import type { Catalog } from '../../src/catalog/catalog.js';
import { packCatalog } from '../../src/catalog/own-catalog.js';
import { readCatalog } from '../../src/catalog/read-catalog.js';

const name = 'templates.pack';

/**
 * Packs the templates of a package into its `dist/`.
 * @param effort of Brotli: 11 takes two seconds, so it is only for what is published
 */
export function packTemplates(packageFolder: string, effort: 9 | 11 = 9): void {
  const compress = (contents: Buffer) =>
    brotliCompressSync(contents, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: effort,
        [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
        [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
        [constants.BROTLI_PARAM_SIZE_HINT]: contents.length,
      },
    });
  const templates = join(packageFolder, 'templates');
  writeFileSync(
    join(packageFolder, 'dist', name),
    packCatalog(catalogOf(templates), templates, compress),
  );
}

/** Protects against running an outdated build here. @throws Error if a template has been edited since the build */
export function refuseStaleTemplates(packageFolder: string): void {
  const templates = join(packageFolder, 'templates');
  const pack = readFileSync(join(packageFolder, 'dist', name));
  const end = pack.indexOf('\n') + 1;
  const unpacked = Buffer.concat([pack.subarray(0, end), brotliDecompressSync(pack.subarray(end))]);
  const isToday = unpacked.equals(packCatalog(catalogOf(templates), templates, (all) => all));
  if (!isToday) throw new Error('templates/ has changed since: npm run build comes first');
}

/** Without each `layer.json`, whose content is already in the layer. */
function catalogOf(templates: string): Catalog {
  return readCatalog(templates).map((layer) => ({
    ...layer,
    files: () => new Map([...layer.files()].filter(([path]) => path !== 'layer.json')),
  }));
}
