import type { Kind, Owner } from '../../plan/ownership.js';
import type { Labels } from './regions.js';

/** Three versions of one file: as it was emitted, as the team has it, as the template has it now. */
export interface ThreeVersions {
  /** The template's path: its name says what language it is in. */
  path: string;
  kind: Kind;
  owner: Owner;
  base: Buffer;
  yours: Buffer;
  theirs: Buffer;
  labels: Labels;
}

/** What a merge came to. */
export interface Merged {
  content: Buffer;
  /**
   * `marked`: by lines in the content. `by-key`: the content has the team's values where both sides changed one.
   * `unmergeable`: the content is the team's file. In both cases the template's has to be put beside.
   */
  conflict?: 'marked' | 'by-key' | 'unmergeable';
  /** For people, each a clause without a full stop. */
  notes: string[];
}
