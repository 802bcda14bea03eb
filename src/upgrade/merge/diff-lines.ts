import { diffIndices } from 'node-diff3';

/** Lines of the base that one side has replaced by others. */
export interface Hunk {
  /** The first line of the base that is replaced, or before which lines are inserted. */
  start: number;
  /** The line after the last one that is replaced. */
  end: number;
  /** What comes in their place. */
  lines: string[];
}

/** The hunks that turn a base into the other text; sorted, never adjacent. */
export function hunksBetween(base: string[], other: string[]): Hunk[] {
  const hunks: { buffer1: number[]; buffer2Content: string[] }[] = diffIndices(base, other);
  return hunks.map(({ buffer1: [start = 0, length = 0], buffer2Content }) => ({
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
