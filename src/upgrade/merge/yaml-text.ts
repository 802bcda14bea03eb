import {
  type Document,
  isNode,
  isPair,
  parseAllDocuments,
  parseDocument,
  type Tags,
  type ToStringOptions,
  type YAMLMap,
  type YAMLSeq,
} from '../../packages/yaml.js';
import { applyHunks, hunksBetween } from './regions.js';
import { linesOfText } from './text-shape.js';

/** YAML text as documents that can be changed, and back with as few other changes as the library allows. */

/** True for any number of documents. */
export function isYaml(lines: string[]): boolean {
  return parseAllDocuments(lines.join('\n')).every(({ errors }) => errors.length === 0);
}

/** Undefined unless it is exactly one document. */
export function readYaml(lines: string[]): Document | undefined {
  const document = parseDocument(lines.join('\n'), { customTags: asWritten, logLevel: 'error' });
  return document.errors.length > 0 ? undefined : document;
}

/**
 * A document as lines, after a change to it.
 * @param original the lines from which it was read: what the change does not concern stays as it is there
 * @returns undefined where the change concerns lines that the library would have written in another way
 */
export function writeYaml(document: Document, original: string[]): string[] | undefined {
  const layout = layoutOf(original);
  const print = (each?: Document) => linesOfText(each?.toString(layout) ?? '');
  const before = print(readYaml(original));
  const hunks = [original, print(document)]
    .flatMap((lines) => hunksBetween(before, lines))
    .sort((one, other) => one.start - other.start || one.end - other.end);
  const isApart = hunks.every(({ start, end }, index) => {
    const next = hunks[index + 1];
    return !next || (end <= next.start && !(start === next.start && end === next.end));
  });
  return isApart ? applyHunks(before, 0, before.length, hunks) : undefined;
}

/** The layout of most of the lines, so that new ones fit in. */
function layoutOf(lines: string[]): ToStringOptions {
  const depths = lines.map((line) => line.search(/[^ ]/)).filter((depth) => depth > 0);
  const isListBelow = /^( *)[^ #].*:\n\1- /m;
  return {
    lineWidth: 0,
    // Not spread into one call: a file may have more lines than a call may have arguments.
    indent: depths.reduce((least, depth) => Math.min(least, depth), 8),
    indentSeq: !isListBelow.test(lines.join('\n')),
    flowCollectionPadding: lines.some((line) => /[:-] +[[{] /.test(line)),
  };
}

/** The library throws where an alias has no anchor, or there are too many: then undefined. */
export function unlessUnresolved<Result>(work: () => Result): Result | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof Error && /\balias\b/.test(error.message)) return undefined;
    throw error;
  }
}

/** Else `0027` and `1.10` would be written as other numbers, and `!reset null` as a string. */
function asWritten(tags: Tags): Tags {
  return tags.map((tag) => {
    if (typeof tag === 'string' || !tag.stringify) return tag;
    const { stringify } = tag;
    return {
      ...tag,
      stringify: (item, ...rest) => {
        const isOneWord = item.type === 'PLAIN' && item.source && !item.source.includes('\n');
        return isOneWord ? String(item.source) : stringify(item, ...rest);
      },
    };
  });
}

/**
 * The library gives the comment above a first entry to the whole list or map, so an entry inserted before it would get
 * the comment.
 */
export function moveFirstComment(collection: YAMLMap | YAMLSeq): void {
  const [first] = collection.items;
  const entry = isPair(first) ? first.key : first;
  if (!collection.commentBefore || !isNode(entry)) return;
  const comments = [collection.commentBefore, entry.commentBefore];
  entry.commentBefore = comments.filter(Boolean).join('\n');
  collection.commentBefore = null;
}
