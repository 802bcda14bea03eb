import type { Decision } from './decide-file.js';
import type { PlacedPair } from './place-files.js';

/** The layers that had files in a folder of their name, none of which the project still has. */
export function deletedLayers(pairs: PlacedPair[]): ReadonlySet<string> {
  const own = pairs.flatMap(({ before, place }) => {
    const [layer = '', ...others] = before?.layers ?? [];
    const isOwn = others.length === 0 && before?.path.startsWith('src/');
    return isOwn && before?.path.split('/').includes(layer) ? [{ layer, place }] : [];
  });
  const left = new Set(own.flatMap(({ layer, place }) => (place === undefined ? [] : [layer])));
  return new Set(own.map(({ layer }) => layer).filter((layer) => !left.has(layer)));
}

/** A file whose layer somebody has deleted is not brought back. Undefined for all other files. */
export function decideDeleted(
  { before, now, place }: PlacedPair,
  deleted: ReadonlySet<string>,
): Decision | undefined {
  const layers = now?.layers ?? [];
  const isDeleted = layers.length > 0 && layers.every((layer) => deleted.has(layer));
  if (!isDeleted || place !== undefined) return undefined;
  if (before) return { outcome: 'unchanged', path: undefined };
  return { outcome: 'deleted', note: `you have deleted ${layers.join(', ')}`, path: undefined };
}
