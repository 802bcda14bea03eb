import { isDeepStrictEqual } from 'node:util';
import { UserError } from '../errors.js';
import type { Manifest } from '../plan/manifest.js';
import type { Plan } from '../plan/plan-project.js';
import type { ProjectFile } from '../project/read-file.js';
import { type Decision, decideDeleted, decideFile, deletedLayers } from './decide-file.js';
import { importRebaser, importSteps } from './follow-imports.js';
import { conflictsIn } from './merge/regions.js';
import { linesOf } from './merge/text-shape.js';
import { withMissingExports } from './missing-exports.js';
import { nextSteps } from './next-steps.js';
import { besidePath, pairFiles } from './pair-files.js';
import { moveOf, type PlacedPair, placeFiles } from './place-files.js';
import { recordChanges } from './record-changes.js';
import { isUnedited } from './unedited.js';
import {
  type Conflict,
  changeTo,
  type FileOutcome,
  isChange,
  type TreeChange,
  type UpgradePlan,
} from './upgrade-plan.js';

/** The input of an upgrade plan. */
export interface UpgradeInput {
  manifest: Manifest;
  /** The plan of the current templates with the current answers. */
  next: Plan;
  /** Pristine texts by id; a file without one is never overwritten. */
  bases: ReadonlyMap<string, Buffer>;
  /**
   * The files of the project by path: its record, those that `neededPaths` names, and those that may be a moved file at
   * its new place.
   */
  project: ReadonlyMap<string, ProjectFile>;
  /** Reads another file of the project, which one of the team's re-exports. */
  read?: (path: string) => ProjectFile | undefined;
  /** False if no file may be taken for a moved one. */
  moves?: boolean;
  /** True if the result is to be committed, which waits for decisions. */
  commit?: boolean;
}

/** A file, and the decision about it. */
export interface Decided {
  pair: PlacedPair;
  decision: Decision;
}

/**
 * Plans how newer templates, or those of other answers, are brought into a project. Nothing is written here, and
 * the same input gives the same plan.
 * @throws UserError if another file is where a template's text would be put beside the team's
 */
export function planUpgrade(input: UpgradeInput): UpgradePlan {
  const { manifest, next, bases, project } = input;
  const labels = { from: manifest.version, to: next.version };
  // Another version may only sort the same answers in another order: it never changes them.
  const hasOtherAnswers =
    labels.from === labels.to && !isDeepStrictEqual(manifest.answers, next.answers);
  const pairs = placeFiles(
    pairFiles(manifest.files, next.files),
    project,
    bases,
    input.moves !== false,
  );
  const deleted = deletedLayers(pairs);
  const rebaseImports = importRebaser(pairs, project);
  const placed = pairs.map((pair): Decided => {
    const { place, goesTo } = pair;
    const yours = place === undefined ? undefined : project.get(place);
    const inTheWay = goesTo === undefined || goesTo === place ? undefined : project.get(goesTo);
    const base = bases.get(pair.id) ?? pristine(pair, yours);
    const rebasedTexts = rebaseImports(pair, base);
    const known = { pair, yours, base, rebasedTexts, inTheWay, labels, hasOtherAnswers };
    return { pair, decision: decideDeleted(pair, deleted) ?? decideFile(known) };
  });
  const decided = withMissingExports(placed, input);
  const steps = importSteps(decided, project);
  const pending = decided.flatMap(({ decision }) => pendingPath(decision)).sort();
  const outcomes = decided.map(outcomeOf).sort((a, b) => (a.path < b.path ? -1 : 1));
  const changes = decided.flatMap((each) => changesOf(each, project));
  return {
    ...labels,
    outcomes,
    changes,
    record: recordChanges(input, decided, pending, changes.length > 0),
    conflicts: decided.flatMap(conflictOf),
    pending,
    moves: pairs.flatMap(moveOf).sort((one, other) => one.alike - other.alike),
    deletedLayers: [...deleted].filter((name) =>
      next.files.some((each) => each.layers.includes(name)),
    ),
    nextSteps: nextSteps(input, { outcomes, pending, changes, importSteps: steps }),
  };
}

/** An unedited file is its own base. */
function pristine({ before }: PlacedPair, yours: ProjectFile | undefined): Buffer | undefined {
  return before && yours && isUnedited(yours.content, before) ? yours.content : undefined;
}

function pendingPath({ path, beside, conflict, missing }: Decision): string[] {
  return path !== undefined && (beside || conflict || missing) ? [path] : [];
}

function outcomeOf({ pair, decision }: Decided): FileOutcome {
  const { id, before, now, place } = pair;
  const { outcome, note, upstream, missing, result, conflict } = decision;
  const path = decision.path ?? place ?? before?.path ?? pair.now?.path ?? id;
  return {
    id,
    path,
    from: result && place !== path ? place : undefined,
    staysAt: !result && place !== path ? place : undefined,
    owner: (now ?? before)?.owner ?? 'ours',
    outcome,
    note: note || undefined,
    upstream,
    missing,
    conflicts: result && conflict && conflictsIn(linesOf(result.content)),
  };
}

function conflictOf({
  pair: { place },
  decision: { path, result, conflict },
}: Decided): Conflict[] {
  if (path === undefined || !result || !conflict) return [];
  return [{ path, from: place === path ? undefined : place, mode: result.mode, ...conflict }];
}

/** The changes to the team's own files. */
function changesOf(
  { pair: { place }, decision }: Decided,
  project: ReadonlyMap<string, ProjectFile>,
): TreeChange[] {
  const { path, result, outcome, beside } = decision;
  const changes: TreeChange[] = [];
  const leaves = outcome === 'removed' || (result && path !== place);
  if (place !== undefined && leaves) changes.push(changeTo(place, project.get(place), undefined));
  if (path !== undefined && result) changes.push(changeTo(path, project.get(path), result));
  if (path !== undefined && beside) changes.push(putBeside(project, path, beside));
  // What is at its new place already may be untracked: writing it again would be refused.
  return changes.filter((each) => each.path === place || isChange(each));
}

function putBeside(
  project: ReadonlyMap<string, ProjectFile>,
  path: string,
  content: Buffer,
): TreeChange {
  const there = project.get(besidePath(path));
  if (there && !there.content.equals(content)) {
    throw new UserError(
      `${besidePath(path)} is in the way: the template's text goes there.`,
      'Move it or delete it.',
    );
  }
  return changeTo(besidePath(path), there, { content, mode: 0o644 });
}
