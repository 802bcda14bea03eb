import type { Data } from './by-key.js';

/**
 * Merges lists of independent items: what either side added stays, what either removed is gone, in the team's order.
 * The template's new plain values come at the end, other items after the one that they follow in the template.
 * @returns undefined if this cannot be decided: items repeat, or both sides may have changed one
 */
export function mergedItems(base: Data, yours: Data, theirs: Data): Data[] | undefined {
  const old = base ?? [];
  if (!isDistinct(old) || !isDistinct(yours) || !isDistinct(theirs)) return undefined;
  const isAdded = (item: Data) => !hasItem(old, item);
  const added = theirs.filter((item) => isAdded(item) && !hasItem(yours, item));
  const result = yours.filter((item) => hasItem(theirs, item) || isAdded(item));
  if ([...old, ...yours, ...theirs].every(isPlain)) return [...result, ...added];
  const goneFromBoth = old.some((item) => !hasItem(yours, item) && !hasItem(theirs, item));
  if (goneFromBoth && added.length > 0 && yours.some(isAdded)) return undefined;
  for (const item of added) {
    const before = theirs.slice(0, theirs.indexOf(item)).reverse();
    const neighbour = before.find((each) => hasItem(result, each));
    const index =
      neighbour === undefined ? -1 : result.findIndex((each) => isSame(each, neighbour));
    result.splice(index + 1, 0, item);
  }
  return result;
}

/** True if the list has an equal item. */
export function hasItem(list: Data[], item: Data): boolean {
  return list.some((each) => isSame(each, item));
}

function isSame(one: Data, other: Data): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function isPlain(item: Data): boolean {
  return typeof item !== 'object' || item === null;
}

function isDistinct(value: Data): value is Data[] {
  return (
    Array.isArray(value) && new Set(value.map((item) => JSON.stringify(item))).size === value.length
  );
}
