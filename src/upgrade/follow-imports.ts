import { basename, dirname } from 'node:path/posix';
import { recordFolder } from '../plan/manifest.js';
import type { ProjectFile } from '../project/read-file.js';
import {
  aliasSpecifiers,
  type FileLocations,
  insteadOf,
  isAliasOf,
  leadsSomewhere,
  lineAt,
  type PlacedFile,
  pathsOfImport,
  rebased,
  relativeSpecifiers,
} from './broken-imports.js';
import { isCode } from './merge/parse-code.js';
import { conflictsIn } from './merge/regions.js';
import { isBinary } from './merge/text-shape.js';
import type { PlacedPair } from './place-files.js';
import type { Decided } from './plan-upgrade.js';

/**
 * What to do about imports that lead nowhere now: in files that the upgrade writes and, if it moves or removes files
 * itself, in all of the team's. Nobody can say what to write for a removed file, or how an alias of the team names the
 * new place.
 */
export function importSteps(
  decided: Decided[],
  project: ReadonlyMap<string, ProjectFile>,
): string[] {
  const removed = decided.flatMap(({ pair: { place }, decision: { outcome } }) =>
    place !== undefined && outcome === 'removed' ? [place] : [],
  );
  // With a feature that the team has deleted; the template's lists still name them.
  const leftOut = decided.flatMap(({ pair: { before, now }, decision: { outcome } }) =>
    now && !before && outcome === 'deleted' ? [now.path] : [],
  );
  const missing = [...removed, ...leftOut];
  if (missing.length === 0 && !decided.some(isMoved)) return [];
  const locations = locationsOf(decided, missing, project);
  const gone = new Map<string, string>([
    ...[...locations.moves].map(([from, to]) => [from, `${from}: that is now ${to}`] as const),
    ...removed.map((path) => [path, `the removed ${path}`] as const),
    ...leftOut.map((path) => [path, `${path}: it was left out`] as const),
  ]);
  const written = decided.flatMap((each) => writtenCode(each) ?? []);
  const names = [...gone.keys()].flatMap((path) => namesThatEnd(path, locations.there));
  const others = otherCode(decided, project)
    .filter(({ content }) => names.some((name) => content.includes(name)))
    .map(({ path, content }) => ({ path, text: content.toString() }));
  const steps = [...written, ...others].flatMap((file) => stepsFor(file, gone, locations));
  // A line may import the same file twice.
  return [...new Set(steps)];
}

/** How imports may name a file that is gone, or a folder that is gone with it. */
function namesThatEnd(path: string, there: ReadonlySet<string>): string[] {
  const folder = dirname(path);
  const isThere = [...there].some((each) => each.startsWith(`${folder}/`));
  const name = basename(path).replace(/\.\w+$/, '');
  return isThere || folder === '.' ? [name] : [name, ...namesThatEnd(folder, there)];
}

/** @param gone how a step names the files that were moved, removed or left out */
function stepsFor(
  file: PlacedFile,
  gone: ReadonlyMap<string, string>,
  locations: FileLocations,
): string[] {
  const { path, text } = file;
  const at = (offset: number) => `${path}:${lineAt(text, offset)}`;
  const conflicts = conflictsIn(text.split(/\r?\n/));
  // Whoever resolves a conflict decides about its imports.
  const isOpen = (offset: number) => {
    const line = lineAt(text, offset);
    return conflicts.some(({ from, to }) => from <= line && line <= to);
  };
  const broken = relativeSpecifiers(text).flatMap(({ offset, path: written }) => {
    if (isOpen(offset) || leadsSomewhere(path, written, locations)) return [];
    const instead = insteadOf(written, file, locations);
    if (instead) return [`in ${at(offset)} write '${instead}' instead of '${written}'`];
    const [name] = pathsOfImport(path, written).flatMap((each) => gone.get(each) ?? []);
    return name ? [`change ${at(offset)}, which imports ${name}`] : [];
  });
  const aliases = aliasSpecifiers(text).flatMap(({ offset, path: alias }) => {
    const imported = [...gone.keys()].find((each) => isAliasOf(alias, each));
    if (imported === undefined || isOpen(offset)) return [];
    return [`change ${at(offset)}, which imports ${gone.get(imported)}`];
  });
  return [...broken, ...aliases];
}

/** The template's texts of a file, before and now, with imports that follow what the team has moved. */
export interface RebasedTexts {
  /** Undefined if the file is new. */
  base: Buffer | undefined;
  /** Undefined if the template has dropped the file. */
  theirs: Buffer | undefined;
}

/**
 * Makes the imports of a template's file fit its place in the project, and lead to where the files are there. The team
 * has written the same lines itself, so that merging both is no conflict; in a new file nobody has written them yet.
 */
export function importRebaser(
  pairs: PlacedPair[],
  project: ReadonlyMap<string, ProjectFile>,
): (pair: PlacedPair, base: Buffer | undefined) => RebasedTexts | undefined {
  const hasMoved = pairs.some(
    ({ before, now, place }) => before && place && ![before.path, now?.path].includes(place),
  );
  if (!hasMoved) return () => undefined;
  const then = placesBy(pairs, ({ before, place }) => [before?.path, place]);
  const today = placesBy(pairs, ({ before, now, place, goesTo }) => [
    now?.path,
    before && place === undefined ? undefined : goesTo,
  ]);
  const there = new Set(project.keys());
  const follow = (
    places: Map<string, string>,
    path: string | undefined,
    template: { path: string } | undefined,
    content: Buffer | undefined,
  ) => {
    if (path === undefined || !template || !content || !isText(template.path, content)) return;
    const file = { path, templatePath: template.path, text: content.toString() };
    return Buffer.from(rebased(file, places, there));
  };
  return ({ before, now, place, goesTo }, base) => ({
    base: follow(then, place, before, base),
    theirs: follow(today, goesTo, now, now?.content),
  });
}

function placesBy(
  pairs: PlacedPair[],
  pathAndPlace: (pair: PlacedPair) => (string | undefined)[],
): Map<string, string> {
  const known = pairs.map(pathAndPlace);
  return new Map(known.flatMap(([path, place]) => (path && place ? [[path, place]] : [])));
}

/** True if the file is, or will be, elsewhere than in the template or in the project so far. */
function isMoved({ pair: { now, place }, decision: { path } }: Decided): boolean {
  return path !== undefined && [now?.path, place].some((each) => each && each !== path);
}

function locationsOf(
  decided: Decided[],
  missing: string[],
  project: ReadonlyMap<string, ProjectFile>,
): FileLocations {
  const places = new Map<string, string>();
  const moves = new Map<string, string>();
  for (const { pair, decision } of decided) {
    const { now, place } = pair;
    const { path, result } = decision;
    if (path === undefined) continue;
    if (now) places.set(now.path, path);
    if (place !== undefined && result && path !== place) moves.set(place, path);
  }
  const there = new Set(project.keys());
  for (const path of [...moves.keys(), ...missing]) there.delete(path);
  for (const path of places.values()) there.add(path);
  return { places, moves, there };
}

/** The file if it is code and the upgrade writes it. */
function writtenCode({ pair, decision: { path, result } }: Decided): PlacedFile | undefined {
  const { now, place } = pair;
  if (!now || !result || path === undefined || !isText(path, result.content)) return undefined;
  return { path, templatePath: now.path, from: place, text: result.content.toString() };
}

/** The files with code that the upgrade leaves as they are. */
function otherCode(
  decided: Decided[],
  project: ReadonlyMap<string, ProjectFile>,
): { path: string; content: Buffer }[] {
  const touched = new Set(
    decided.flatMap(({ pair: { place }, decision: { path, outcome, result } }) =>
      result || outcome === 'removed' ? [place, path] : [],
    ),
  );
  return [...project].flatMap(([path, { content }]) => {
    const isOther = !touched.has(path) && !path.startsWith(`${recordFolder}/`);
    return isOther && isText(path, content) ? [{ path, content }] : [];
  });
}

function isText(path: string, content: Buffer): boolean {
  return isCode(path) && !isBinary(content);
}
