import { mergeList } from './merge-list.js';
import { hasConflict } from './regions.js';

/** JSON and YAML as data. */
export type Data = string | number | boolean | null | undefined | Data[] | { [key: string]: Data };
export type Path = (string | number)[];

/** A change that brings a template's change into the team's document. */
export type KeyEdit =
  | { path: Path; does: 'remove' }
  /** The value at the same path of the template's document, or `value` if given. */
  | { path: Path; does: 'set'; value?: Data };

/** The edits to the team's document, and what to report. */
interface KeyMerge {
  edits: KeyEdit[];
  /** Paths at which both sides changed the same value in different ways: the team's stays. */
  conflicts: Path[];
  /** Notes for people, each a clause. */
  notes: string[];
}

/** Decides about values that both sides have changed, such as version ranges; undefined if it cannot decide. */
export type Arbiter = (
  path: Path,
  yours: Data,
  theirs: Data,
) => { value: Data; note?: string } | undefined;

interface Three {
  base: Data;
  yours: Data;
  theirs: Data;
}

/** Merges three documents key by key, and lists item by item. */
export function mergeByKey(versions: Three, arbiter: Arbiter = () => undefined): KeyMerge {
  const merge: KeyMerge = { edits: [], conflicts: [], notes: [] };
  mergeValue([], versions);
  return merge;

  function mergeValue(path: Path, three: Three): void {
    const { base, yours, theirs } = three;
    if (isEqual(yours, theirs) || isEqual(base, theirs)) return;
    if (isRecord(yours) && isRecord(theirs)) {
      const old = isRecord(base) ? base : {};
      for (const key of new Set([...Object.keys(old), ...Object.keys(theirs)])) {
        mergeEntry([...path, key], {
          base: entryOf(old, key),
          yours: entryOf(yours, key),
          theirs: entryOf(theirs, key),
        });
      }
      return;
    }
    if (isEqual(base, yours)) {
      merge.edits.push({ path, does: 'set' });
      return;
    }
    decide(path, three);
  }

  function mergeEntry(path: Path, three: Three): void {
    const { base, yours, theirs } = three;
    if (yours === undefined && theirs !== undefined) {
      if (base === undefined) merge.edits.push({ path, does: 'set' });
      else if (!isEqual(base, theirs))
        merge.notes.push(`${named(path)}: deleted by you, changed by the template`);
      return;
    }
    if (theirs === undefined && yours !== undefined) {
      if (isEqual(base, yours)) merge.edits.push({ path, does: 'remove' });
      else merge.notes.push(`${named(path)}: dropped by the template, kept because you changed it`);
      return;
    }
    mergeValue(path, three);
  }

  function decide(path: Path, { base, yours, theirs }: Three): void {
    const merged = mergedItems(base, yours, theirs);
    const decided = merged ? { value: merged } : arbiter(path, yours, theirs);
    if (!decided) {
      merge.conflicts.push(path);
      return;
    }
    if (decided.note) merge.notes.push(`${named(path)}: ${decided.note}`);
    if (!isEqual(decided.value, yours))
      merge.edits.push({ path, does: 'set', value: decided.value });
  }
}

/** The object's own value for a key: every object inherits a `constructor`, which does not count. */
export function entryOf(record: { [key: string]: Data }, key: string): Data {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}

/** `scripts.test` */
export function named(path: Path): string {
  return path.length === 0 ? 'the whole file' : path.join('.');
}

/** `you and the template both changed scripts.test: yours stays` */
export function bothChanged(conflicts: Path[]): string {
  return `you and the template both changed ${conflicts.map(named).join(', ')}: yours stays`;
}

export function isRecord(value: Data): value is { [key: string]: Data } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** True if two values are the same data, whatever the order of keys. */
export function isEqual(one: Data, other: Data): boolean {
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((item, index) => isEqual(item, other[index]));
  }
  if (isRecord(one) && isRecord(other)) {
    const keys = Object.keys(one);
    return (
      keys.length === Object.keys(other).length &&
      keys.every((key) => Object.hasOwn(other, key) && isEqual(one[key], other[key]))
    );
  }
  return one === other;
}

/**
 * Merges lists item by item: what either side added stays, what either removed is gone, all in its order.
 * @returns undefined if this cannot be decided: items repeat, or both sides may have changed one
 */
function mergedItems(base: Data, yours: Data, theirs: Data): Data[] | undefined {
  const lists = [base ?? [], theirs, yours];
  if (!lists.every(isList)) return undefined;
  const [old = [], upstream = [], mine = []] = lists.map((list) => list.map(written));
  // The template's first: where both add at one place, what builds and tests precedes what a team does with it.
  const regions = mergeList(old, upstream, mine, false);
  if (hasConflict(regions)) return undefined;
  const merged = regions.flatMap((region) => (region.isConflict ? [] : region.lines));
  const isRepeated = [old, upstream, mine, merged].some((all) => new Set(all).size < all.length);
  return isRepeated ? undefined : merged.map((item) => JSON.parse(item) as Data);
}

/** Where an item of the template goes: after the one that it follows there; first if none of those is here. */
export function placeAmong(yours: Data[], item: Data, theirs: Data[]): number {
  const before = theirs.slice(0, theirs.indexOf(item));
  const neighbour = before.findLast((each) => hasItem(yours, each));
  return neighbour === undefined ? 0 : yours.findIndex((each) => isEqual(each, neighbour)) + 1;
}

/** True if the list has an equal item. */
export function hasItem(list: Data[], item: Data): boolean {
  return list.some((each) => isEqual(each, item));
}

function written(item: Data): string {
  return JSON.stringify(item ?? null);
}

function isList(value: Data): value is Data[] {
  return Array.isArray(value);
}
