/** Something that is chosen, and its possible values. */
export interface Factor {
  name: string;
  levels: string[];
}

/** One level for each factor, by name. */
export type Assignment = Record<string, string>;

/** One level each of two factors. */
type Pair = [Assignment, Assignment];

/** How many of the open pairs are tried for each next row: more makes fewer rows, and takes longer. */
const SEEDS = 12;
/** How many levels may be changed to make an assignment possible. */
const REPAIRS = 3;

/**
 * A small selection of assignments with every possible pair of levels. `always` comes first;
 * then, greedily, each next row takes an open pair and fills the rest with what covers most (as AETG does, Cohen et al.
 * 1997). Nothing is random: the same factors give the same rows.
 */
export function pairwise(
  factors: Factor[],
  isPossible: (assignment: Assignment) => boolean,
  always: Assignment[],
): Assignment[] {
  const rows = [...always];
  const open = new Map(allPairs(factors).map((pair) => [pairKey(pair), pair]));
  for (const row of rows) cross(row, open);
  while (open.size > 0) {
    const candidates = [...open.values()].slice(0, SEEDS).flatMap((pair) => {
      const row = repaired(pair, filled(pair, factors, open), factors, isPossible, always);
      if (!row) open.delete(pairKey(pair));
      return row ? [row] : [];
    });
    const best = candidates.sort((a, b) => gainOf(b, open) - gainOf(a, open))[0];
    if (!best) continue;
    rows.push(best);
    cross(best, open);
  }
  return rows;
}

/** The pairs of levels that an assignment has. */
export function pairsIn(assignment: Assignment): string[] {
  const single = levelsOf(assignment);
  return single.flatMap((first, position) =>
    single.slice(position + 1).map((second) => keyOf(first, second)),
  );
}

function allPairs(factors: Factor[]): Pair[] {
  const single = factors.map(({ name, levels }) => levels.map((level) => ({ [name]: level })));
  return single.flatMap((levels, position) =>
    single
      .slice(position + 1)
      .flatMap((others) => levels.flatMap((a) => others.map((b): Pair => [a, b]))),
  );
}

/** As `name=level`. */
function levelsOf(assignment: Assignment): string[] {
  return Object.entries(assignment).map(([name, level]) => `${name}=${level}`);
}

function keyOf(one: string, other: string): string {
  return one < other ? `${one} ${other}` : `${other} ${one}`;
}

function pairKey([one, other]: Pair): string {
  return pairsIn({ ...one, ...other })[0] ?? '';
}

function cross(row: Assignment, open: Map<string, Pair>): void {
  for (const key of pairsIn(row)) open.delete(key);
}

function gainOf(row: Assignment, open: Map<string, Pair>): number {
  return pairsIn(row).filter((key) => open.has(key)).length;
}

/** A row with the pair in it; every other factor has the level that covers most of what is open. */
function filled(pair: Pair, factors: Factor[], open: Map<string, Pair>): Assignment {
  const row: Assignment = { ...pair[0], ...pair[1] };
  for (const { name, levels } of factors) {
    if (name in row) continue;
    const known = levelsOf(row);
    const gains = levels.map(
      (level) => known.filter((each) => open.has(keyOf(each, `${name}=${level}`))).length,
    );
    row[name] = levels[gains.indexOf(Math.max(...gains))] ?? '';
  }
  return row;
}

/** The nearest possible row that still has the pair; undefined if there is none. */
function repaired(
  pair: Pair,
  row: Assignment,
  factors: Factor[],
  isPossible: (assignment: Assignment) => boolean,
  always: Assignment[],
): Assignment | undefined {
  const starts = [row, ...always.map((known) => ({ ...known, ...pair[0], ...pair[1] }))];
  const free = factors.filter(({ name }) => !(name in pair[0]) && !(name in pair[1]));
  for (const start of starts) {
    for (let changes = 0; changes <= REPAIRS; changes += 1) {
      const row = { ...start };
      if (isRepaired(row, free, changes, isPossible)) return row;
    }
  }
  return undefined;
}

/** Changes this many factors of the row, in place: there are thousands of ways. @returns whether one makes it possible */
function isRepaired(
  row: Assignment,
  free: Factor[],
  changes: number,
  isPossible: (assignment: Assignment) => boolean,
): boolean {
  if (changes === 0) return isPossible(row);
  return free.some(({ name, levels }, position) => {
    const before = row[name] ?? '';
    const others = levels.filter((level) => level !== before);
    const later = free.slice(position + 1);
    const isFound = others.some((level) => {
      row[name] = level;
      return isRepaired(row, later, changes - 1, isPossible);
    });
    if (!isFound) row[name] = before;
    return isFound;
  });
}
