import {
  type Document,
  isMap,
  isNode,
  isSeq,
  parseDocument,
  type YAMLMap,
} from '../../packages/yaml.js';
import {
  bothChanged,
  type Data,
  hasItem,
  type KeyEdit,
  mergeByKey,
  named,
  type Path,
  placeAmong,
} from './by-key.js';
import type { Merged, ThreeVersions } from './merge-file.js';
import { agreed, hasConflict, markedLines, mergeByDiff3, type Region } from './regions.js';
import { linesOf, linesOfText, shapeOf, textFrom } from './text-shape.js';

/**
 * Merges YAML: by line if that gives a valid document, because every line then stays as it was written; else key by key
 * into the team's document, keeping comments and order. Where both sides changed a value, the team's stays, and the
 * template's file has to be put beside it.
 */
export function mergeYaml({ base, yours, theirs, labels }: ThreeVersions): Merged {
  const shape = shapeOf(yours);
  const [baseLines, yourLines, theirLines] = [linesOf(base), linesOf(yours), linesOf(theirs)];
  const byLine = mergeByDiff3(baseLines, yourLines, theirLines).map(withBothComments);
  if (!hasConflict(byLine)) {
    const lines = markedLines(byLine, labels);
    if (read(lines)) return { content: textFrom(lines, shape), notes: [] };
  }
  const [old, mine, upstream] = [read(baseLines), read(yourLines), read(theirLines)];
  if (!old || !mine || !upstream) {
    return { content: yours, conflict: 'unmergeable', notes: ['it cannot be read as YAML'] };
  }
  const data = (document: Document): Data => document.toJS() as Data;
  const merge = mergeByKey({ base: data(old), yours: data(mine), theirs: data(upstream) });
  for (const edit of merge.edits) apply(edit, mine, upstream);
  // Serialized again only if something changes, because that loses the team's line breaks and indentation.
  const written = () => textFrom(linesOfText(mine.toString({ lineWidth: 0 })), shape);
  const content = merge.edits.length > 0 ? written() : yours;
  const notes = [...merge.notes, ...leftOut(baseLines, theirLines, linesOf(content))];
  if (merge.conflicts.length === 0) return { content, notes };
  return { content, conflict: 'by-key', notes: [bothChanged(merge.conflicts), ...notes] };
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

function read(lines: string[]): Document | undefined {
  const document = parseDocument(lines.join('\n'));
  return document.errors.length > 0 ? undefined : document;
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
    const nodes = [...there.items, ...theirs.items].map((node) => ({ node, item: plain(node) }));
    there.items = edit.value.flatMap(
      (value) => nodes.find(({ item }) => hasItem([item], value))?.node ?? [],
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
