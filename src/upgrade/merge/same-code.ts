import { isCode, parseCode } from './parse-code.js';
import { keysFor } from './restore-line-layout.js';
import { isBinary, linesOf } from './text-shape.js';

/**
 * True if two programs differ only in what a formatter decides: white space, quotes, semicolons, trailing commas,
 * redundant parentheses. Comments are content.
 */
export function isSameCode(path: string, one: string, other: string): boolean {
  const [a, b] = [parseCode(path, one), parseCode(path, other)];
  if (a === undefined || b === undefined) return false;
  try {
    return JSON.stringify(bare(a)) === JSON.stringify(bare(b));
  } catch (error) {
    // Nested too deeply to compare: different texts then count as different programs.
    if (error instanceof RangeError) return false;
    throw error;
  }
}

// The position of a node in the text, and how its author wrote it.
const layout = new Set(['start', 'end', 'loc', 'range', 'extra', 'tokens', 'errors']);

/** A part of the tree without its layout. */
function bare(part: unknown): unknown {
  if (Array.isArray(part)) return part.filter((each) => !isEmptyStatement(each)).map(bare);
  if (!isNode(part)) return part;
  if (part.type === 'TSParenthesizedType') return bare(part.typeAnnotation);
  if (part.type === 'CommentBlock' || part.type === 'CommentLine') {
    return String(part.value).replace(/\s+/g, ' ').trim();
  }
  const entries = Object.entries(part).filter(([key]) => !layout.has(key));
  return Object.fromEntries(
    entries.map(([key, value]) => [
      key,
      key === 'key' && !part.computed ? bareKey(value) : bare(value),
    ]),
  );
}

/** `{ 'a': 1 }` is the same as `{ a: 1 }`. */
function bareKey(key: unknown): unknown {
  const isQuoted = isNode(key) && key.type === 'StringLiteral';
  return isQuoted && /^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(String(key.value))
    ? { type: 'Identifier', name: key.value }
    : bare(key);
}

/** A semicolon before `[` or `(`, as written where others have none. */
function isEmptyStatement(part: unknown): boolean {
  return isNode(part) && part.type === 'EmptyStatement';
}

function isNode(part: unknown): part is Record<string, unknown> {
  return typeof part === 'object' && part !== null;
}

/**
 * True if the two texts differ only in what a formatter decides. Not needed for data (JSON, YAML), which is merged by
 * key.
 */
export function isOnlyReformatted(path: string, one: Buffer, other: Buffer): boolean {
  if (isBinary(one) || isBinary(other)) return false;
  if (isCode(path)) return isSameCode(path, one.toString(), other.toString());
  return /\.(css|md)$/.test(path) && wordsOf(path, one) === wordsOf(path, other);
}

/** A text without what formatters decide, as where lines break; in Markdown also the markers of items and emphasis. */
function wordsOf(path: string, content: Buffer): string {
  const exact = path.endsWith('.css') ? quoted : codeOrDepth;
  const lines = keysFor(path)(linesOf(content)).map((line) =>
    line.replace(exact, encodeURIComponent),
  );
  return lines.join('\n').replace(/\s+/g, ' ').trim();
}

// White space that means something.
const quoted = /(["'])(?:\\.|(?!\1).)*\1/g;
const codeOrDepth = /^code .*|^(?:\t| {4}).*|^\s+(?=(?:[*+-]|\d+[.)])\s)/;
