import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { packPath, templatesFolder } from '../package-root.js';
import type { Catalog } from './catalog.js';
import type { Layer } from './layer.js';

/** The first line of a pack: what help and `list` print. */
interface PackedLayers {
  /** Each layer without its files; its folder is relative to the templates folder, with slashes. */
  layers: Omit<Layer, 'files'>[];
  /** The size of the rest in bytes when unpacked. */
  size: number;
}

/** The first line of the rest: the files of each layer, in the same order as their contents, which follow. */
type PackedFiles = [path: string, size: number][][];

/**
 * A catalog with all its templates in one text: a line about the layers, then, compressed, a line about their files and
 * the contents one after the other.
 * @param compress by Brotli, so that all files share one window: npm's own compression is a third larger
 */
export function packCatalog(
  catalog: Catalog,
  templatesFolder: string,
  compress: (contents: Buffer) => Buffer,
): Buffer {
  const files = catalog.map((layer) => [...layer.files()]);
  const sizes: PackedFiles = files.map((all) =>
    all.map(([path, content]) => [path, content.length]),
  );
  const contents = files.flat().map(([, content]) => content);
  const rest = Buffer.concat([line(sizes), ...contents]);
  const layers = catalog.map((layer) => ({
    ...layer,
    folder: layer.folder.slice(templatesFolder.length + 1).replaceAll('\\', '/'),
  }));
  return Buffer.concat([line({ layers, size: rest.length }), compress(rest)]);
}

/**
 * The catalog in a pack; its layers and their parts of package.json were checked when it was made. Commands that only
 * list what exists, such as help, unpack nothing: that takes 6 ms.
 */
function unpackCatalog(pack: Buffer): Catalog {
  const [about, rest] = afterLine<PackedLayers>(pack);
  let files: ReadonlyMap<string, Buffer>[] | undefined;
  return about.layers.map((layer, position) => ({
    ...layer,
    folder: join(templatesFolder, layer.folder),
    files() {
      // In one chunk: by default Node makes many and then copies them together.
      files ??= unpackFiles(brotliDecompressSync(rest, { chunkSize: about.size }));
      return files[position] ?? new Map();
    },
  }));
}

function unpackFiles(unpacked: Buffer): ReadonlyMap<string, Buffer>[] {
  const [layers, contents] = afterLine<PackedFiles>(unpacked);
  let end = 0;
  return layers.map(
    (files) =>
      new Map(
        files.map(([path, size]) => {
          end += size;
          return [path, contents.subarray(end - size, end)];
        }),
      ),
  );
}

function line(value: PackedLayers | PackedFiles): Buffer {
  return Buffer.from(`${JSON.stringify(value)}\n`);
}

/** The value of the first line, and what follows it. */
function afterLine<Value>(text: Buffer): [Value, Buffer] {
  const end = text.indexOf('\n') + 1;
  return [JSON.parse(text.toString('utf8', 0, end)), text.subarray(end)];
}

/** The catalog of this package, as `npm run build` has packed it. */
export function ownCatalog(): Catalog {
  return unpackCatalog(readFileSync(packPath));
}
