import { diffIndices } from 'node-diff3';

/** Lines of the base that one side has put others in the place of. */
export interface Hunk {
  /** First line of the base that goes, or before which is inserted. */
  start: number;
  /** Behind the last one that goes. */
  end: number;
  /** What comes in their place. */
  lines: string[];
}

/** What has to be done to a base to get the other text; sorted, never touching one another. */
export function hunksBetween(base: string[], other: string[]): Hunk[] {
  const hunks: { buffer1: number[]; buffer2Content: string[] }[] = diffIndices(base, other);
  return hunks.map(({ buffer1: [start = 0, length = 0], buffer2Content }) => ({
    start,
    end: start + length,
    lines: buffer2Content,
  }));
}

/** A range of the base after some of its hunks were applied. */
export function applyHunks(base: string[], start: number, end: number, hunks: Hunk[]): string[] {
  // A file may have more lines than a call may have arguments.
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
