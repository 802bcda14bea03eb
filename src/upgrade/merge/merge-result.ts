import type { Kind, Owner } from '../../plan/ownership.js';
import type { Labels } from './regions.js';

/** Three versions of one file: as emitted, the team's, and the template's current one. */
export interface ThreeVersions {
  /** The template's path, whose name tells the language. */
  path: string;
  kind: Kind;
  owner: Owner;
  base: Buffer;
  yours: Buffer;
  theirs: Buffer;
  labels: Labels;
}

/** The result of a merge. */
export interface Merged {
  content: Buffer;
  /**
   * `marked`: marked by lines in the content. `by-key`: the content has the team's values where both sides changed one.
   * `unmergeable`: the content is the team's file. In the last two cases the template's file has to be put beside it.
   */
  conflict?: 'marked' | 'by-key' | 'unmergeable';
  /** For people, each a clause without a full stop. */
  notes: string[];
}
