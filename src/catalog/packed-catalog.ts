import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { packPath, templatesFolder } from '../package-root.js';
import type { Catalog } from './catalog.js';
import type { Layer } from './layer.js';

/** What stands in the first line of a pack: all of each layer but its contents, which follow compressed, in the same order. */
interface PackedLayer extends Omit<Layer, 'folder' | 'files'> {
  /** Below the templates folder, with slashes. */
  folder: string;
  /** Paths, and how many bytes each file has. */
  files: [string, number][];
}

/** The catalog that this package was built with. Its layers were checked then, and what they bring to package.json. */
export function packedCatalog(): Catalog {
  return unpackCatalog(readFileSync(packPath), templatesFolder);
}

/**
 * A catalog with all its templates in one text: a line of JSON, then the contents one after the other.
 * @param compress by Brotli, so that one list of words serves all files: by itself npm would make a third more of them
 */
export function packCatalog(
  catalog: Catalog,
  templatesFolder: string,
  compress: (contents: Buffer) => Buffer,
): Buffer {
  const contents: Buffer[] = [];
  const layers = catalog.map((layer): PackedLayer => {
    const files = [...layer.files()];
    contents.push(...files.map(([, content]) => content));
    return {
      ...layer,
      folder: layer.folder.slice(templatesFolder.length + 1).replaceAll('\\', '/'),
      files: files.map(([path, content]) => [path, content.length]),
    };
  });
  const about = Buffer.from(`${JSON.stringify(layers)}\n`);
  return Buffer.concat([about, compress(Buffer.concat(contents))]);
}

/** What only says what there is, such as help, unpacks no content: that takes 3 ms. */
function unpackCatalog(pack: Buffer, templatesFolder: string): Catalog {
  const end = pack.indexOf('\n') + 1;
  const layers = JSON.parse(pack.toString('utf8', 0, end)) as PackedLayer[];
  let unpacked: Buffer | undefined;
  const all = () => {
    unpacked ??= brotliDecompressSync(pack.subarray(end));
    return unpacked;
  };
  let start = 0;
  return layers.map(({ folder, files, ...about }) => {
    const first = start;
    for (const [, length] of files) start += length;
    let contents: ReadonlyMap<string, Buffer> | undefined;
    return {
      ...about,
      folder: join(templatesFolder, folder),
      files() {
        contents ??= contentsOf(all(), files, first);
        return contents;
      },
    };
  });
}

function contentsOf(
  all: Buffer,
  files: PackedLayer['files'],
  start: number,
): ReadonlyMap<string, Buffer> {
  let end = start;
  return new Map(
    files.map(([path, length]) => {
      end += length;
      return [path, all.subarray(end - length, end)];
    }),
  );
}
