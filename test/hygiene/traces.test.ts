import { expect, test } from 'vitest';
import { foreignWords, withoutExempt, wordsIn } from '../../scripts/matrix/checks/traces.js';
import { smallSelections } from '../../scripts/matrix/combinations.js';
import { wordsOf } from '../../scripts/matrix/layer-words.js';
import type { Layer } from '../../src/catalog/layer.js';
import { readCatalog } from '../../src/catalog/read-catalog.js';
import { emittedPath } from '../../src/catalog/read-sources.js';
import { templatesFolder } from '../../src/package-root.js';

/**
 * The matrix finds a trace of a layer that was not chosen only in the combinations that it covers. This checks every text in every
 * small selection that it can be emitted with.
 */
const catalog = [...readCatalog(templatesFolder)];
const selections = smallSelections(catalog)
  .sort((a, b) => a.length - b.length)
  .map((chosen) => new Set(chosen));
const wordsByLayer = catalog.map((layer) => ({ layer, words: wordsOf(layer, catalog) }));
const foreign = new Map<Set<Layer>, Set<string>>();

test.each(catalog)(
  'no text of $name speaks of what need not be there',
  (layer) => {
    const parts = partsOf(layer);
    const traces = [...parts].flatMap(([other, texts]) => {
      const needed = catalog.filter((each) => each === layer || each.name === other);
      const present = selections.filter((chosen) => needed.every((each) => chosen.has(each)));
      expect(present, `${layer.name} beside ${other} is never emitted`).not.toEqual([]);
      return tracesIn(texts, present);
    });
    expect(traces).toEqual([]);
  },
  60_000,
);

/** Its texts, by the other layer that they are for; those that it always has are under the empty string. */
function partsOf(layer: Layer): Map<string, { path: string; text: string }[]> {
  const parts = new Map<string, { path: string; text: string }[]>();
  for (const [path, content] of layer.files()) {
    const [, other = '', emitted] = /^(?:files|when\/([^/]+))\/(.+)$/.exec(path) ?? [];
    if (!emitted && !/^(asvs\.md|env\.example|compose\.yaml)$/.test(path)) continue;
    const text = withoutExempt(`${emittedPath(emitted ?? path)}\n${content}`);
    parts.set(other, [...(parts.get(other) ?? []), { path, text }]);
  }
  return parts;
}

function tracesIn(texts: { path: string; text: string }[], present: Set<Layer>[]): string[] {
  return wordsByLayer.flatMap(({ layer, words }) => {
    const found = texts.flatMap(({ path, text }) =>
      wordsIn(text, words).map(({ word }) => ({ path, word })),
    );
    if (found.length === 0) return [];
    const without = smallestOf(present.filter((chosen) => !chosen.has(layer)));
    return found.flatMap(({ path, word }) => {
      const chosen = without.find((each) => foreignIn(each).has(word));
      const names = [...(chosen ?? [])].map(({ name }) => name);
      return chosen ? [`${path}: ${word}, a word of ${layer.name}, beside ${names.join(' ')}`] : [];
    });
  });
}

/** The selections, given in order of size, that contain no other one. */
function smallestOf(selected: Set<Layer>[]): Set<Layer>[] {
  const smallest: Set<Layer>[] = [];
  for (const one of selected) {
    const holds = (other: Set<Layer>) => [...other].every((layer) => one.has(layer));
    if (!smallest.some(holds)) smallest.push(one);
  }
  return smallest;
}

function foreignIn(chosen: Set<Layer>): Set<string> {
  const known = foreign.get(chosen);
  if (known) return known;
  const others = catalog.filter((layer) => !chosen.has(layer));
  const words = new Set(foreignWords([...chosen], others).map(({ word }) => word));
  foreign.set(chosen, words);
  return words;
}
