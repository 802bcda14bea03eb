import type { Size } from './measure.js';

/** Figures that may only go down. File length is not among them: a growing median is no defect. */
const HELD = [
  'sourceFiles',
  'sourceLines',
  'entriesOfSrc',
  'crowdedFolders',
  'testFiles',
  'testLines',
  'files',
  'packages',
] as const satisfies (keyof Size)[];

/** How far below its ceiling a figure may stay, as a fraction. */
const TOLERANCE = 0.03;

/** The most that each figure of a service may be. */
export type Ceiling = Record<(typeof HELD)[number], number>;

/** The figures that are above the ceiling. */
export function aboveCeiling(size: Size, ceiling: Ceiling): string[] {
  return HELD.filter((key) => size[key] > ceiling[key]).map((key) => compared(key, size, ceiling));
}

/** The figures so far below their ceiling that it should be lowered. */
export function farBelowCeiling(size: Size, ceiling: Ceiling): string[] {
  return HELD.filter((key) => size[key] < ceiling[key] * (1 - TOLERANCE)).map((key) =>
    compared(key, size, ceiling),
  );
}

/** Lowers the ceiling to the size. Raising it is a decision: do it by hand, in a commit that says why. */
export function lowered(size: Size, ceiling: Ceiling): Ceiling {
  const figures = HELD.map((key) => [key, Math.min(size[key], ceiling[key])]);
  return Object.fromEntries(figures);
}

function compared(key: (typeof HELD)[number], size: Size, ceiling: Ceiling): string {
  return `${key} is ${size[key]}, the ceiling is ${ceiling[key]}`;
}
