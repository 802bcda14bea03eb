import type { Fragments } from '../catalog/read-sources.js';

/**
 * Merges the layers' compose files as data. A single one is taken as it is written, comments and all.
 * @returns undefined if no layer has one
 */
export async function mergeComposeFiles(fragments: Fragments[]): Promise<string | undefined> {
  const [first, ...others] = fragments.flatMap(({ compose }) => compose ?? []);
  if (first === undefined || others.length === 0) return first;
  const { parseDocument, isMap } = await import('yaml');
  const merged = parseDocument(first);
  for (const other of others) {
    const contents = parseDocument(other).contents;
    if (!isMap(merged.contents) || !isMap(contents)) throw new Error('compose.yaml is no mapping');
    mergeInto(merged.contents, contents);
  }
  return merged.toString({ lineWidth: 0 });

  function mergeInto(target: import('yaml').YAMLMap, source: import('yaml').YAMLMap): void {
    for (const pair of source.items) {
      const existing = target.get(pair.key, true);
      if (isMap(existing) && isMap(pair.value)) mergeInto(existing, pair.value);
      else if (existing === undefined) target.add(pair);
      else throw new Error(`two layers disagree about ${String(pair.key)} in compose.yaml`);
    }
  }
}
