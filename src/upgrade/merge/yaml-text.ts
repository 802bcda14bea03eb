import {
  type Document,
  isNode,
  isPair,
  parseAllDocuments,
  parseDocument,
  type Tags,
  type YAMLMap,
  type YAMLSeq,
} from '../../packages/yaml.js';
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

export function writeYaml(document: Document): string[] {
  return linesOfText(document.toString({ lineWidth: 0, flowCollectionPadding: false }));
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
