import type { Owner } from '../plan/ownership.js';
import type { DriftState, FileDrift } from './file-drift.js';

// In the order in which people should care.
export const owners: Owner[] = ['frozen', 'ours', 'list', 'yours'];

/** A line for each owner that has some of the files. */
export function linesByOwner<File>(
  files: File[],
  ownerOf: (file: File) => Owner,
  textOf: (files: File[]) => string,
): string[] {
  const widest = Math.max(...owners.map((owner) => owner.length));
  return owners.flatMap((owner) => {
    const owned = files.filter((file) => ownerOf(file) === owner);
    return owned.length > 0 ? [`${owner.padEnd(widest)}  ${textOf(owned)}`] : [];
  });
}

/** How many of the files are in each state, and how many lines of them differ. */
export function countsOf(files: FileDrift[]) {
  const inState = (...states: DriftState[]) =>
    files.filter(({ state }) => states.includes(state)).length;
  return {
    edited: inState('edited', 'mode'),
    formatted: inState('formatted'),
    moved: inState('moved'),
    deleted: inState('deleted'),
    lineEnds: inState('line ends'),
    unknown: inState('unknown'),
    ...linesOf(files),
  };
}

/** `2 edited, 1 with other line ends (+8 −3 lines)` */
export function countsText(files: FileDrift[]): string {
  const { added: _, removed: __, lineEnds, unknown, ...counts } = countsOf(files);
  return totals({ ...counts, 'with other line ends': lineEnds, unknown }, files);
}

/** How many files there are of each kind, and how many lines of them differ. */
export function totals(counts: Record<string, number>, files: Patched[]): string {
  const parts = Object.entries(counts).flatMap(([what, n]) => (n > 0 ? [`${n} ${what}`] : []));
  const { added, removed } = linesOf(files);
  return `${parts.join(', ')} (+${added} −${removed} lines)`;
}

type Patched = Pick<FileDrift, 'patch'>;

function linesOf(files: Patched[]) {
  const sum = (side: 'added' | 'removed') =>
    files.reduce((total, { patch }) => total + patch[side], 0);
  return { added: sum('added'), removed: sum('removed') };
}
