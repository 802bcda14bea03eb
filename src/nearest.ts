/** Letters to insert, delete, replace or swap with a neighbour to get from one word to the other. */
function editDistance(from: string, to: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const isSame = from[row - 1] === to[column - 1];
      const isSwapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      current[column] = Math.min(
        at(last, column) + 1,
        at(current, column - 1) + 1,
        at(last, column - 1) + (isSame ? 0 : 1),
        isSwapped ? at(beforeLast, column - 2) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    beforeLast = last;
    last = current;
  }
  return at(last, to.length);
}

function at(row: number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY;
}

/**
 * The candidate most like the word.
 * @param furthest how many letters of a candidate may differ; by default a third of them
 */
export function nearest(
  word: string,
  candidates: Iterable<string>,
  furthest = (candidate: string) => Math.ceil(candidate.length / 3),
): string | undefined {
  let best: string | undefined;
  let bestDistance = Number.POSITIVE_INFINITY;
  for (const candidate of candidates) {
    const distance = editDistance(word.toLowerCase(), candidate);
    if (distance < bestDistance && distance <= furthest(candidate)) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/** The most similar value, and all values. */
export function suggestion(word: string, values: string[]): string {
  const meant = nearest(word, values);
  const all = `Available: ${values.join(', ')}.`;
  return meant === undefined ? all : `Did you mean ${meant}? ${all}`;
}
