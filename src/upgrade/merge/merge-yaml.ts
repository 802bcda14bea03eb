import { type Document, isMap, isNode, isSeq, type YAMLMap } from '../../packages/yaml.js';
import {
  bothChanged,
  type Data,
  isEqual,
  type KeyEdit,
  mergeByKey,
  named,
  type Path,
  placeAmong,
} from './by-key.js';
import type { Merged, ThreeVersions } from './merge-file.js';
import {
  agreed,
  hasConflict,
  hunksBetween,
  markedLines,
  mergeByDiff3,
  type Region,
} from './regions.js';
import { encodingOf, linesOf, shapeOf, textFrom } from './text-shape.js';
import { isYaml, moveFirstComment, readYaml, unlessUnresolved, writeYaml } from './yaml-text.js';

/**
 * Merges YAML: by line if that gives a valid document, because every line then stays as it was written; else key by key
 * into the team's document, if that changes nothing else. Where both sides changed a value, the team's stays, and the
 * template's file has to be put beside it.
 */
export function mergeYaml({ base, yours, theirs, labels }: ThreeVersions): Merged {
  const encoding = encodingOf(base, yours, theirs);
  const shape = { ...shapeOf(yours), encoding };
  const inLines = (content: Buffer) => linesOf(content, encoding);
  const all = [inLines(base), inLines(yours), inLines(theirs)] as const;
  const byLine = mergeByDiff3(...all).map(withBothComments);
  if (!hasConflict(byLine)) {
    const lines = markedLines(byLine, labels);
    if (isYaml(lines)) return { content: textFrom(lines, shape), notes: [] };
  }
  if (!all.every(isYaml)) {
    return { content: yours, conflict: 'unmergeable', notes: ['it cannot be read as YAML'] };
  }
  const merged = unlessUnresolved(() => mergedByKey(...all));
  if (!merged) {
    const notes = ['you and the template both changed the same lines: yours stays'];
    return { content: yours, conflict: 'by-key', notes };
  }
  const { lines, conflicts, notes } = merged;
  const content = textFrom(lines, shape);
  if (conflicts.length === 0) return { content, notes };
  return { content, conflict: 'by-key', notes: [bothChanged(conflicts), ...notes] };
}

/** Undefined if other lines would change too, or if an edit cannot be made. */
function mergedByKey(base: string[], yours: string[], theirs: string[]) {
  const [old, mine, upstream] = [readYaml(base), readYaml(yours), readYaml(theirs)];
  if (!old || !mine || !upstream) return undefined;
  const data = (document: Document): Data => document.toJS() as Data;
  const merge = mergeByKey({ base: data(old), yours: data(mine), theirs: data(upstream) });
  const canReach = ({ path }: KeyEdit) => [mine, upstream].every(isWithinMaps(path));
  if (!merge.edits.every(canReach)) return undefined;
  for (const edit of merge.edits) apply(edit, mine, upstream);
  const lines = merge.edits.length > 0 ? writeYaml(mine, yours) : yours;
  if (!lines) return undefined;
  if (lines !== yours) {
    if (!isChangedAs(base, theirs, yours, lines)) return undefined;
    const written = readYaml(lines);
    if (!written || !isEqual(data(written), data(mine))) return undefined;
  }
  const notes = [...merge.notes, ...leftOut(base, theirs, lines)];
  return { lines, conflicts: merge.conflicts, notes };
}

/**
 * True if the result differs from the team's text only as the template differs from the base: the library may change
 * what nobody has touched, such as comments, blanks, and what is YAML only by chance.
 */
function isChangedAs(base: string[], theirs: string[], yours: string[], merged: string[]): boolean {
  const left = new Map<string, number>();
  for (const change of changedLines(base, theirs)) left.set(change, (left.get(change) ?? 0) + 1);
  return changedLines(yours, merged).every((change) => {
    const times = left.get(change) ?? 0;
    left.set(change, times - 1);
    return times > 0;
  });
}

/** Without blanks, which follow the team's indentation. A line that has moved is removed and added. */
function changedLines(before: string[], after: string[]): string[] {
  return hunksBetween(before, after)
    .flatMap(({ start, end, lines }) => [
      ...before.slice(start, end).map((line) => `-${line}`),
      ...lines.map((line) => `+${line}`),
    ])
    .map((change) => change.replace(/\s/g, ''));
}

const comment = /^\s*#/;

/** Comments that both sides added at one place do not contradict each other. */
function withBothComments(region: Region): Region {
  if (!region.isConflict) return region;
  const { base, yours, theirs } = region;
  const isSaid = [...base, ...yours, ...theirs].every((line) => comment.test(line) || !line.trim());
  if (!isSaid) return region;
  const added = theirs.filter((line) => !base.includes(line) && !yours.includes(line));
  return agreed([...yours, ...added]);
}

/** Comments that the template added at keys it has not changed: a merge by key would lose them silently. */
function leftOut(base: string[], theirs: string[], merged: string[]): string[] {
  const there = new Set([...base, ...merged].map((line) => line.trim()));
  const lost = theirs.filter((line) => comment.test(line) && !there.has(line.trim()));
  return lost.length > 0 ? [`left out: ${lost.map((line) => line.trim()).join(' ')}`] : [];
}

/** False below an alias, which has keys only as data, and below a key that is a number, not text. */
function isWithinMaps(path: Path): (document: Document) => boolean {
  return (document) => path.length === 0 || isMap(document.getIn(path.slice(0, -1), true));
}

function apply(edit: KeyEdit, mine: Document, upstream: Document): void {
  const { path } = edit;
  if (edit.does === 'remove') {
    mine.deleteIn(path);
    return;
  }
  const theirs = upstream.getIn(path, true);
  const there = mine.getIn(path, true);
  if (isSeq(there) && isSeq(theirs) && Array.isArray(edit.value)) {
    [there, theirs].forEach(moveFirstComment);
    const nodes = [...there.items, ...theirs.items].map((node) => ({ node, item: plain(node) }));
    there.items = edit.value.flatMap(
      (value) => nodes.find(({ item }) => isEqual(item, value))?.node ?? [],
    );
  } else if (there !== undefined || path.length === 0) mine.setIn(path, theirs);
  else insert(path, mine, upstream);
}

function plain(node: unknown): Data {
  return isNode(node) ? (node.toJSON() as Data) : undefined;
}

/** Takes over a key with its comment, after the key that it follows in the template. */
function insert(path: Path, mine: Document, upstream: Document): void {
  const [into, from] = [mapAt(mine, path), mapAt(upstream, path)];
  [into, from].forEach(moveFirstComment);
  const [here, there] = [into, from].map(({ items }) => items.map(({ key }) => String(key)));
  const key = String(path.at(-1));
  const pair = from.items.find((each) => String(each.key) === key);
  if (!pair) throw new Error(`the template has nothing at ${named(path)}`);
  into.items.splice(placeAmong(here ?? [], key, there ?? []), 0, pair);
}

function mapAt(document: Document, path: Path): YAMLMap {
  const node = path.length > 1 ? document.getIn(path.slice(0, -1), true) : document.contents;
  if (!isMap(node)) throw new Error(`there is no map at ${named(path.slice(0, -1))}`);
  return node;
}
