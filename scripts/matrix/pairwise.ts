/**
 * A small selection in which each pair of factors that occurs anywhere occurs at least once, greedily: the next one is
 * always that which brings the most new pairs. The first and the last item are always in it.
 */
export function pairwise<Item>(items: Item[], factorsOf: (item: Item) => string[]): Item[] {
  const open = items.map((item) => ({ item, pairs: pairsOf(factorsOf(item)) }));
  const missing = new Set(open.flatMap(({ pairs }) => pairs));
  const chosen = new Set<Item>();
  const take = (candidate: (typeof open)[number] | undefined) => {
    if (!candidate) return;
    chosen.add(candidate.item);
    for (const pair of candidate.pairs) missing.delete(pair);
  };
  take(open.at(-1));
  take(open[0]);
  while (missing.size > 0) take(richest(open, missing));
  return items.filter((item) => chosen.has(item));
}

function richest<Candidate extends { pairs: string[] }>(
  candidates: Candidate[],
  missing: Set<string>,
): Candidate | undefined {
  let best: Candidate | undefined;
  let most = 0;
  for (const candidate of candidates) {
    const gain = candidate.pairs.filter((pair) => missing.has(pair)).length;
    if (gain > most) [best, most] = [candidate, gain];
  }
  return best;
}

function pairsOf(factors: string[]): string[] {
  return factors.flatMap((first, position) =>
    factors.slice(position + 1).map((second) => `${first} ${second}`),
  );
}
