import { recordFolder } from '../plan/manifest.js';
import type { ProjectFile } from '../project/read-file.js';
import { findMoved, followFolder, movedFolders } from './find-moved.js';
import type { Pair } from './pair-files.js';
import { isSameText } from './unedited.js';
import type { UpgradePlan } from './upgrade-plan.js';

/** A pair, and where the team has the file. */
export type PlacedPair = Pair & {
  /** Where the team's file is; undefined if the team has deleted it or never had it. */
  place: string | undefined;
  /** Where the template's file goes, if it is new or the template has moved it. */
  goesTo: string | undefined;
  /** How similar the file is, in percent, if its place is a guess because it was not at a known one. */
  alike?: number;
};

/**
 * Finds each file in the project: where it was emitted, where an earlier upgrade found it, or where it has moved to.
 * @param areMovesSought if false, a file at neither of the first two places counts as deleted
 */
export function placeFiles(
  pairs: Pair[],
  project: ReadonlyMap<string, ProjectFile>,
  bases: ReadonlyMap<string, Buffer>,
  areMovesSought: boolean,
): PlacedPair[] {
  const isThere = (path: string | undefined) => path !== undefined && project.has(path);
  const known = new Map(
    pairs.flatMap(({ id, before }) => {
      const place = [before?.movedTo, before?.path].find(isThere);
      return place === undefined ? [] : [[id, place] as const];
    }),
  );
  const taken = new Set(known.values());
  const candidates = [...project]
    .filter(([path]) => !taken.has(path) && !path.startsWith(`${recordFolder}/`))
    .filter(([path, { content }]) => !isNew(path, content, pairs));
  const missing = pairs.flatMap(({ id, before, now }) => {
    if (!areMovesSought || !before || before.deleted || known.has(id)) return [];
    const texts = [bases.get(id), now?.content].filter((text) => text !== undefined);
    return [{ file: before, texts }];
  });
  const moved = findMoved(missing, new Map(candidates));
  const placeOf = (id: string) => known.get(id) ?? moved.get(id)?.path;
  const folders = movedFolders(
    pairs.flatMap(({ id, before }) => (before ? [{ path: before.path, place: placeOf(id) }] : [])),
  );
  return pairs.map((pair) => {
    const place = pair.before && placeOf(pair.id);
    const alike = moved.get(pair.id)?.alike;
    const guess = alike === undefined ? {} : { alike };
    return { ...pair, place, goesTo: destination(pair, place, folders), ...guess };
  });
}

/** The guess about where a file is, if it is one. */
export function moveOf({ before, place, alike }: PlacedPair): UpgradePlan['moves'] {
  if (!before || place === undefined || alike === undefined) return [];
  return [{ from: before.path, path: place, alike }];
}

/** True for a new file of the template that the team has already: it is not an old one at another place. */
function isNew(path: string, content: Buffer, pairs: Pair[]): boolean {
  return pairs.some(
    ({ before, now }) => !before && now.path === path && isSameText(now.content, content),
  );
}

/** A file that the team has moved stays there; one that moved with its whole folder follows the template within it. */
function destination(
  { before, now }: Pair,
  place: string | undefined,
  folders: Map<string, string>,
): string | undefined {
  if (!now) return undefined;
  if (!before) return followFolder(now.path, folders);
  if (place === undefined || place === before.path) return now.path;
  const followed = followFolder(now.path, folders);
  const isWithin = followed !== now.path && place === followFolder(before.path, folders);
  return isWithin ? followed : place;
}
