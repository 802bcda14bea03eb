import type { Document } from '../documents.js';
import { sha256Of } from '../plan/manifest.js';
import type { ProjectFile } from '../project/read-file.js';

/**
 * What becomes of a file.
 * - `added`, `updated`, `removed`: the template's, because nobody had edited the file
 * - `merged`: it has both sides' changes
 * - `moved`: the template moved it, and the edits moved with it; its text may be merged as well
 * - `unchanged`: nothing to do, whether edited or not
 * - `kept`: the template changed or dropped it, but the team's text stays; the note says why
 * - `deleted`: by the team; the template has changed it since
 * - `conflict` (markers in the file, or the new text beside), `no-base` and `beside` (the new text lies beside as
 *   `.template`): pending
 * - `incomplete`: it belongs to the team, and template code imports from it what it does not export: pending
 */
export type Outcome = ReportedFile['outcome'];

type ReportedFile = Document<'change'>['files'][number];

/** What becomes of a file, for people and programs; `documents.ts` says what each field is. */
export interface FileOutcome extends Omit<ReportedFile, 'keptPatch'> {
  /**
   * The template's texts before and now, where the project's file does not take them over: for `kept`, `deleted`,
   * `incomplete`, and for `unchanged` if an earlier upgrade has reported it and the file has not taken it over since.
   * If one is absent, the template had, or has, no such file.
   */
  upstream?: { before?: Buffer; now?: Buffer };
  /** Where the file stays, if the template moves it to `path` and the team has another file there. */
  staysAt?: string;
}

/** One path of the project, before and after. */
export interface TreeChange {
  path: string;
  /** The file that the plan was made from; undefined if there was none. Checked again before anything is written. */
  before: { sha256: string; mode: number } | undefined;
  /** Undefined if the file is removed. If it existed before, only who may execute it is taken from the mode. */
  after: ProjectFile | undefined;
}

/** The three sides of a file with markers, for the stages of git's index. */
export interface Conflict {
  path: string;
  /** Where the team has the file, if the template moves it. */
  from?: string | undefined;
  base: Buffer;
  yours: Buffer;
  theirs: Buffer;
  mode: number;
}

/** Everything that an upgrade, `add`, `remove` or `regenerate` will do. */
export interface UpgradePlan {
  /** Versions of the generator. */
  from: string;
  to: string;
  /** Sorted by path. */
  outcomes: FileOutcome[];
  /** The changes to the team's files, in the order of writing. */
  changes: TreeChange[];
  /** What is then written into the record folder, the manifest last; nothing if it is already recorded. */
  record: TreeChange[];
  conflicts: Conflict[];
  /** Paths that somebody has to look at before the upgrade is done, sorted. */
  pending: string[];
  /** Files that were taken for moved ones, and how similar they are, in percent; the least similar first. */
  moves: { from: string; path: string; alike: number }[];
  /** Layers whose folder the team has deleted. */
  deletedLayers: string[];
  /** What to type or do afterwards. */
  nextSteps: string[];
}

/** The change that gives a path of the project its new content; undefined removes what is there. */
export function changeTo(
  path: string,
  there: ProjectFile | undefined,
  after: ProjectFile | undefined,
): TreeChange {
  const before = there && { sha256: sha256Of(there.content), mode: there.mode };
  return { path, before, after };
}

/** False if the path is already so. */
export function isChange({ before, after }: TreeChange): boolean {
  if (!before || !after) return before !== after;
  return before.sha256 !== sha256Of(after.content);
}
