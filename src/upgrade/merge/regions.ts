import { diff3MergeRegions, diffIndices } from 'node-diff3';

/** A piece of a merged text: lines that both sides agree on, or three versions from which a person has to choose. */
export type Region =
  | { isConflict: false; lines: string[] }
  | { isConflict: true; base: string[]; yours: string[]; theirs: string[] };

/** Lines that both sides agree on. */
export function agreed(lines: string[]): Region {
  return { isConflict: false, lines };
}

/** The names of the sides of a marked conflict. */
export interface Labels {
  /** Versions of the generator. */
  from: string;
  to: string;
}

/** A conflict, without what both sides have in common at its beginning and end. */
export function conflictBetween(base: string[], yours: string[], theirs: string[]): Region[] {
  if (isSameLines(yours, theirs)) return [agreed(yours)];
  const shorter = Math.min(yours.length, theirs.length);
  let head = 0;
  while (head < shorter && yours[head] === theirs[head]) head++;
  let tail = 0;
  while (tail < shorter - head && yours.at(-1 - tail) === theirs.at(-1 - tail)) tail++;
  const middle: Region = {
    isConflict: true,
    base,
    yours: yours.slice(head, yours.length - tail),
    theirs: theirs.slice(head, theirs.length - tail),
  };
  const end = yours.slice(yours.length - tail);
  return [agreed(yours.slice(0, head)), middle, agreed(end)].filter(
    (region) => region.isConflict || region.lines.length > 0,
  );
}

export function hasConflict(regions: Region[]): boolean {
  return regions.some(({ isConflict }) => isConflict);
}

/** How many lines are in conflict, on both sides together. */
export function linesInConflict(regions: Region[]): number {
  return regions.reduce(
    (sum, region) => sum + (region.isConflict ? region.yours.length + region.theirs.length : 0),
    0,
  );
}

/** The lines of a merge; conflicts are marked in git's zdiff3 style, with the base between both sides. */
export function markedLines(regions: Region[], { from, to }: Labels): string[] {
  return regions.flatMap((region) => {
    if (!region.isConflict) return region.lines;
    return [
      '<<<<<<< yours',
      ...region.yours,
      `||||||| create-auth-service ${from}`,
      ...region.base,
      '=======',
      ...region.theirs,
      `>>>>>>> create-auth-service ${to}`,
    ];
  });
}

/** The first and the last line of each marked conflict, from 1; without those whose end is missing. */
export function conflictsIn(lines: string[]): { from: number; to: number }[] {
  return lines.flatMap((line, index) => {
    if (line !== '<<<<<<< yours') return [];
    const isEnd = (each: string) => /^>{7} create-auth-service \S+$/.test(each);
    const end = lines.findIndex((each, at) => at > index && isEnd(each));
    return end < 0 ? [] : [{ from: index + 1, to: end + 1 }];
  });
}

/** Merges by diff3: changes of both sides conflict where they touch, unless they are the same. */
export function mergeByDiff3(base: string[], yours: string[], theirs: string[]): Region[] {
  return diff3MergeRegions(yours, base, theirs).flatMap((region) => {
    if (region.stable) return [agreed(region.bufferContent)];
    const { oContent, aContent, bContent } = region;
    if (isSameLines(oContent, bContent)) return [agreed(aContent)];
    if (isSameLines(oContent, aContent)) return [agreed(bContent)];
    return conflictBetween(oContent, aContent, bContent);
  });
}

/** Lines of the base that one side has replaced by others. */
export interface Hunk {
  /** The first line of the base that is replaced, or before which lines are inserted. */
  start: number;
  /** The line after the last one that is replaced. */
  end: number;
  /** The lines that replace them. */
  lines: string[];
}

/** The hunks that turn a base into the other text; sorted, never adjacent. */
export function hunksBetween(base: string[], other: string[]): Hunk[] {
  return diffIndices(base, other).map(({ buffer1: [start, length], buffer2Content }) => ({
    start,
    end: start + length,
    lines: buffer2Content,
  }));
}

/** A range of the base with these hunks applied. */
export function applyHunks(base: string[], start: number, end: number, hunks: Hunk[]): string[] {
  // Not spread into one call: a file may have more lines than a call may have arguments.
  const parts: string[][] = [];
  let done = start;
  for (const hunk of hunks) {
    parts.push(base.slice(done, hunk.start), hunk.lines);
    done = hunk.end;
  }
  return [...parts, base.slice(done, end)].flat();
}

export function isSameLines(one: string[], other: string[]): boolean {
  return one.length === other.length && one.every((line, index) => line === other[index]);
}
