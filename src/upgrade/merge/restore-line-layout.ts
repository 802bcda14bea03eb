import { hunksBetween } from './regions.js';

/**
 * The team's lines in the base's notation where both say the same. A formatter changes these in a whole file: in CSS the
 * indentation; in Markdown the markers of list items and emphasis and the width of a table, while a rewrapped paragraph
 * stays.
 */
export function restoreLineLayout(path: string, base: string[], yours: string[]): string[] {
  const keysOf = keysFor(path);
  const parts: string[][] = [];
  const at = { base: 0, yours: 0 };
  for (const { start, end, lines } of hunksBetween(keysOf(base), keysOf(yours))) {
    const from = at.yours + (start - at.base);
    parts.push(base.slice(at.base, start), yours.slice(from, from + lines.length));
    Object.assign(at, { base: end, yours: from + lines.length });
  }
  return [...parts, base.slice(at.base)].flat();
}

/** Lines with the same key say the same. */
export const keysFor = (path: string) => (path.endsWith('.css') ? keysOfCss : keysOfMarkdown);

const keysOfCss = (lines: string[]) => lines.map((line) => line.trim());

/** Code is compared exactly. */
function keysOfMarkdown(lines: string[]): string[] {
  let fence: string | undefined;
  return lines.map((line) => {
    const mark = /^\s*(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence !== undefined) {
      if (mark?.startsWith(fence)) fence = undefined;
      return `code ${line}`;
    }
    fence = mark;
    return mark === undefined ? keyOf(line) : `code ${line}`;
  });
}

function keyOf(line: string): string {
  // Four blanks may be code.
  if (/^ {0,3}\|/.test(line)) return cellsOf(emphasized(line));
  return emphasized(line.replace(/^( {0,3})[*+-][ \t]+(?=\S)/, '$1- '));
}

/** With `*` around what is emphasized; spans of code are unchanged. */
function emphasized(line: string): string {
  const spans = /(`+).*?\1|(?<!\w)_(?=\S)([^_`]*[^_`\s])_(?!\w)/g;
  return line.replace(spans, (all, _, text) => (text ? `*${text}*` : all));
}

function cellsOf(row: string): string {
  const cells = row.split('|').map((cell) => cell.trim());
  return cells.map((cell) => cell.replace(/^(:?)-+(:?)$/, '$1-$2')).join('|');
}
