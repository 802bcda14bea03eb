import type { Owner } from '../plan/ownership.js';
import type { ProjectFile } from '../project/read-file.js';
import type { MissingExport } from './missing-exports.js';

/**
 * What becomes of a file.
 * - `added`, `updated`, `removed`: as the template has it, where nobody had edited it
 * - `merged`: both sides' changes are in it
 * - `moved`: the template moved it, the edits followed; its text may be merged as well
 * - `unchanged`: nothing to do, be it edited or not
 * - `kept`: the template changed or dropped it, the team's text stays; the note says why
 * - `deleted`: by the team; the template has changed it since
 * - `conflict` (markers in the file, or the new text beside), `no-base` and `beside` (the new text lies beside as
 *   `.template`): pending
 * - `incomplete`: it is the team's, and template code imports from it what it does not export: pending
 */
export type Outcome =
  | 'added'
  | 'updated'
  | 'merged'
  | 'moved'
  | 'removed'
  | 'unchanged'
  | 'kept'
  | 'deleted'
  | 'conflict'
  | 'no-base'
  | 'beside'
  | 'incomplete';

export interface FileOutcome {
  /** The first path that the file ever had. */
  id: string;
  /** Where it lies after the upgrade. */
  path: string;
  /** Where it lay before, if elsewhere. */
  from?: string;
  owner: Owner;
  outcome: Outcome;
  /** A sentence for people, where the outcome does not say it all. */
  note?: string;
  /**
   * The template's texts before and now, where the project's file does not follow: `kept`, `deleted`, `incomplete`, and
   * `unchanged` if an earlier upgrade has told of it and the file has not followed since. An absent one means that the template
   * had, or has, no such file.
   */
  upstream?: { before?: Buffer; now?: Buffer };
  /** The lines of each marked conflict, markers included, from 1. */
  conflicts?: { from: number; to: number }[];
  /** What the team has to add to an `incomplete` file. */
  missing?: MissingExport[];
}

/** One path of the project, before and after. */
export interface TreeChange {
  path: string;
  /** What the plan was made from; undefined if nothing lay there. It is checked again before anything is written. */
  before: { sha256: string; mode: number } | undefined;
  /** Undefined: the file is removed. Of the mode only who may execute is taken if the file was there before. */
  after: { content: Buffer; mode: number } | undefined;
}

/** The three sides of a file with markers, for the stages of git's index. */
export interface Conflict {
  path: string;
  base?: Buffer;
  yours?: Buffer;
  theirs?: Buffer;
  mode: number;
}

/** Reads a file of the project; undefined if there is none. */
export type ReadFile = (path: string) => ProjectFile | undefined;

/** Everything that an upgrade, `add`, `remove` or `regenerate` is going to do. */
export interface UpgradePlan {
  /** Versions of the generator. */
  from: string;
  to: string;
  /** Sorted by path. */
  outcomes: FileOutcome[];
  /** What happens to the team's files, in the order of writing. */
  changes: TreeChange[];
  /**
   * What is written after them into the record folder, the manifest last; nothing if it is recorded already. Asked for only when the
   * plan is carried out: to show it, neither are pristine copies read nor texts hashed.
   */
  record: (read: ReadFile) => TreeChange[];
  conflicts: Conflict[];
  /** Paths that somebody has to look at before the upgrade is done, sorted. */
  pending: string[];
  /** Files that were taken for ones that the team has moved, and how much they are alike, in percent; the least alike first. */
  moves: { from: string; path: string; alike: number }[];
  /** Layers whose folder the team has deleted. */
  deletedLayers: string[];
  /** What to type or to do afterwards. */
  nextSteps: string[];
}
