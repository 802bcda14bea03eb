import {
  agreed,
  applyHunks,
  conflictBetween,
  type Hunk,
  hunksBetween,
  isSameLines,
  type Region,
} from './regions.js';

interface SidedHunk extends Hunk {
  side: 'yours' | 'theirs';
}

/**
 * Merges a list of one item per line: additions of both sides stay, even at the same place, and what one side removed
 * is gone. Only a line that both sides changed, or that one changed and the other removed, is a conflict.
 * @param isSorted whether lines that both sides add at one place are sorted, as imports are
 */
export function mergeList(
  base: string[],
  yours: string[],
  theirs: string[],
  isSorted: boolean,
): Region[] {
  const regions: Region[] = [];
  let done = 0;
  for (const group of groupsOf(hunksOf(base, yours, theirs))) {
    const start = Math.min(...group.map((hunk) => hunk.start));
    const end = Math.max(...group.map((hunk) => hunk.end));
    regions.push(agreed(base.slice(done, start)));
    regions.push(...mergeGroup(base, start, end, group, isSorted));
    done = end;
  }
  return [...regions, agreed(base.slice(done))];
}

function hunksOf(base: string[], yours: string[], theirs: string[]): SidedHunk[] {
  return [
    ...hunksBetween(base, yours).map((hunk) => ({ ...hunk, side: 'yours' as const })),
    ...hunksBetween(base, theirs).map((hunk) => ({ ...hunk, side: 'theirs' as const })),
  ].sort((a, b) => a.start - b.start || a.end - b.end);
}

/** Groups hunks that share a line of the base, or insert at the same place or within one another. */
function groupsOf(hunks: SidedHunk[]): SidedHunk[][] {
  const groups: SidedHunk[][] = [];
  let end = -1;
  for (const hunk of hunks) {
    const group = groups.at(-1);
    const isSamePlace = group?.some(
      (other) => isInsertion(other) && isInsertion(hunk) && other.start === hunk.start,
    );
    if (group && (hunk.start < end || isSamePlace)) group.push(hunk);
    else groups.push([hunk]);
    end = Math.max(end, hunk.end);
  }
  return groups;
}

function mergeGroup(
  base: string[],
  start: number,
  end: number,
  group: SidedHunk[],
  isSorted: boolean,
): Region[] {
  const yours = group.filter(({ side }) => side === 'yours');
  const theirs = group.filter(({ side }) => side === 'theirs');
  const ofYours = applyHunks(base, start, end, yours);
  const ofTheirs = applyHunks(base, start, end, theirs);
  if (theirs.length === 0 || isSameLines(ofYours, ofTheirs)) return [agreed(ofYours)];
  if (yours.length === 0) return [agreed(ofTheirs)];
  if (start === end) return [agreed(bothAdded(ofYours, ofTheirs, isSorted))];
  if (group.some((hunk) => isReplacement(hunk) && sharesLines(hunk, group))) {
    return conflictBetween(base.slice(start, end), ofYours, ofTheirs);
  }
  return [agreed(withoutRemoved(base, start, end, group))];
}

function isInsertion({ start, end }: Hunk): boolean {
  return start === end;
}

function isReplacement(hunk: Hunk): boolean {
  return !isInsertion(hunk) && hunk.lines.length > 0;
}

function sharesLines(hunk: SidedHunk, group: SidedHunk[]): boolean {
  return group.some(
    (other) => other.side !== hunk.side && other.start < hunk.end && hunk.start < other.end,
  );
}

/** Applies every hunk in the order of the base; what either side removed is gone. */
function withoutRemoved(base: string[], start: number, end: number, group: SidedHunk[]): string[] {
  const parts: string[][] = [];
  for (let at = start; at <= end; at++) {
    parts.push(group.flatMap((hunk) => (hunk.start === at ? hunk.lines : [])));
    const isRemoved = group.some((hunk) => hunk.start <= at && at < hunk.end);
    if (at < end && !isRemoved) parts.push(base.slice(at, at + 1));
  }
  return parts.flat();
}

/** Merges the items that both sides have added at one place. */
function bothAdded(yours: string[], theirs: string[], isSorted: boolean): string[] {
  if (![...yours, ...theirs].every(isItem)) return [...yours, ...theirs];
  const others = theirs.filter((line) => !yours.includes(line));
  const all = [...yours, ...others];
  if (!isSorted || !inOrder(yours) || !inOrder(others)) return all;
  return all.sort(byKey);
}

/** True for a line that is an item by itself: neither blank nor a comment, with as many brackets opened as closed. */
function isItem(line: string): boolean {
  const opened = line.match(/[([{]/g)?.length ?? 0;
  const closed = line.match(/[)\]}]/g)?.length ?? 0;
  return line.trim() !== '' && !/^\s*(\/\/|\/?\*|#)/.test(line) && opened === closed;
}

function inOrder(lines: string[]): boolean {
  return lines.every((line, index) => index === 0 || byKey(lines[index - 1] ?? '', line) <= 0);
}

function byKey(one: string, other: string): number {
  const [a, b] = [keyOf(one), keyOf(other)];
  return a < b ? -1 : Number(a > b);
}

/** Imports are sorted by the module that they import. */
function keyOf(line: string): string {
  return /\bfrom ['"](.+)['"]/.exec(line)?.[1] ?? line.trim();
}

/**
 * The template's lines of an `.env.example` without the variables that it adds and the team has already, each with the
 * comment above it, unless that stands for the variable below, too.
 */
export function withoutKnownVariables(base: string[], yours: string[], theirs: string[]): string[] {
  const before = variablesIn(base);
  const known = variablesIn(yours).filter((name) => name && !before.includes(name));
  const kept: string[] = [];
  const names = variablesIn(theirs);
  for (const [index, name] of names.entries()) {
    if (name === undefined || !known.includes(name)) kept.push(theirs[index] ?? '');
    else if (names[index + 1] === undefined) {
      while (kept.at(-1)?.startsWith('#')) kept.pop();
      if (kept.at(-1) === '') kept.pop();
    }
  }
  return kept;
}

/** The variable of each line. */
function variablesIn(lines: string[]): (string | undefined)[] {
  return lines.map((line) => /^([A-Z][A-Z0-9_]*)=/.exec(line)?.[1]);
}
