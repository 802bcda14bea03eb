import { gt, minVersion, satisfies, validRange } from '../../packages/semver-ranges.js';
import { type Arbiter, type Data, entryOf, isRecord } from './by-key.js';

const dependencyKeys = [
  'dependencies',
  'devDependencies',
  'optionalDependencies',
  'peerDependencies',
];

/**
 * A dependency that both sides have changed gets the higher range. A note says so, unless the team's range is
 * the higher one and satisfies the template.
 */
export const higherRange: Arbiter = (path, yours, theirs) => {
  const isDependency = path.length === 2 && dependencyKeys.includes(String(path[0]));
  if (!isDependency || typeof yours !== 'string' || typeof theirs !== 'string') return undefined;
  const [lowest, templates] = [lowestOf(yours), lowestOf(theirs)];
  if (!lowest || !templates) return undefined;
  if (satisfies(lowest, theirs)) return { value: yours };
  if (gt(lowest, templates)) return { value: yours, note: `your ${yours}, not ${theirs}` };
  return { value: theirs, note: `${theirs} instead of your ${yours}` };
};

function lowestOf(range: string) {
  return validRange(range) === null ? null : minVersion(range);
}

/** A dependency in another section, such as `devDependencies`. */
export interface SectionMove {
  name: string;
  from: string;
  to: string;
}

/** The dependencies that a side has moved to another section. */
export function sectionMoves(side: Data, base: Data): SectionMove[] {
  return dependencyKeys.flatMap((from) =>
    Object.keys(sectionOf(base, from))
      .filter((name) => !(name in sectionOf(side, from)))
      .flatMap((name) => {
        const isThere = (key: string) =>
          name in sectionOf(side, key) && !(name in sectionOf(base, key));
        return dependencyKeys.filter(isThere).map((to) => ({ name, from, to }));
      }),
  );
}

/** Those moves whose dependency a side still has where it was, and not yet where it goes. */
export function movesNotIn(side: Data, moves: SectionMove[]): SectionMove[] {
  return moves.filter(
    ({ name, from, to }) => name in sectionOf(side, from) && !(name in sectionOf(side, to)),
  );
}

/** The same data with these dependencies in their other sections. */
export function withMoves(data: Data, moves: SectionMove[]): Data {
  if (!isRecord(data) || moves.length === 0) return data;
  const moved = structuredClone(data);
  for (const { name, from, to } of moves) {
    const { [name]: range, ...left } = sectionOf(moved, from);
    if (range === undefined) continue;
    moved[from] = left;
    moved[to] = { ...sectionOf(moved, to), [name]: range };
  }
  return moved;
}

function sectionOf(data: Data, key: string): Record<string, Data> {
  const found = isRecord(data) ? entryOf(data, key) : undefined;
  return isRecord(found) ? found : {};
}
