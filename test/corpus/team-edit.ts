import type { Outcome } from '../../src/upgrade/upgrade-plan.js';
import type { TeamProject } from './team-project.js';

/** Something that a team does to its project, and what becomes of it when a later release changes things nearby. */
export interface TeamEdit {
  /** As the table names it. */
  team: string;
  /** What the later release does there. */
  template: string;
  apply(project: TeamProject): void;
  /** Path → what the upgrade makes of it. The first one is the table's. */
  outcomes: Record<string, Outcome>;
  /** Path → texts of both sides that are in the file afterwards. */
  has?: Record<string, string[]>;
  /** Paths that must not be there afterwards. */
  lacks?: string[];
  /** Which side the team decides for where it is asked; its own if nothing is said. */
  decides?: 'yours' | 'theirs';
  /** It touches the whole project, so no other edit can be tried together with it. */
  isSweeping?: true;
  /** A compiler has nothing to say of it. */
  changesNoCode?: true;
}
