import { hunksBetween } from './regions.js';

/**
 * The team's lines of a Markdown file, in the base's notation where both say the same: the marker of a list item, the
 * width of a table. A formatter changes these in a whole file; a rewrapped paragraph stays as the team has it.
 */
export function restoreMarkdownLayout(base: string[], yours: string[]): string[] {
  const parts: string[][] = [];
  const at = { base: 0, yours: 0 };
  for (const { start, end, lines } of hunksBetween(keysOf(base), keysOf(yours))) {
    const from = at.yours + (start - at.base);
    parts.push(base.slice(at.base, start), yours.slice(from, from + lines.length));
    Object.assign(at, { base: end, yours: from + lines.length });
  }
  return [...parts, base.slice(at.base)].flat();
}

/** Lines with the same key say the same. Code is compared exactly. */
function keysOf(lines: string[]): string[] {
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
  if (line.startsWith('|')) return cellsOf(line);
  // Four blanks may be code.
  return line.replace(/^( {0,3})[*+-][ \t]+(?=\S)/, '$1- ');
}

function cellsOf(row: string): string {
  const cells = row.split('|').map((cell) => cell.trim());
  return cells.map((cell) => cell.replace(/^(:?)-+(:?)$/, '$1-$2')).join('|');
}
