import type { Outcome } from '../../src/upgrade/upgrade-plan.js';
import type { TeamProject } from './team-project.js';

/** What a later release changes in the templates. Paths are below `templates/`. */
export type TemplateChange =
  | { path: string; from: string; to: string }
  | { path: string; added: string }
  | { path: string; movedTo: string }
  | { path: string; removed: true };

/**
 * Something that a team does to its project, and what becomes of it when a later release changes things nearby. All that has to
 * be adapted when a template changes stands here, in the one entry.
 */
export interface TeamEdit {
  /** As the table names it. */
  team: string;
  /** What the later release does there. */
  template: string;
  /** How it does that; nothing if another edit says so already. The release has the changes of all edits. */
  upstream?: TemplateChange[];
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

/** The paths about which an edit leaves a decision open. */
export function pendingOf({ outcomes }: TeamEdit): string[] {
  const waiting = ['conflict', 'beside', 'no-base'];
  return Object.keys(outcomes).filter((path) => waiting.includes(outcomes[path] ?? ''));
}

/** Where a project's texts are not those that an edit says are in it afterwards. */
export function faultsOf(
  { has = {}, lacks = [] }: TeamEdit,
  textAt: (path: string) => string | undefined,
): string[] {
  const missing = Object.entries(has).flatMap(([path, texts]) =>
    texts.filter((text) => !textAt(path)?.includes(text)).map((text) => `${path} lacks ${text}`),
  );
  return [...missing, ...lacks.filter((path) => textAt(path) !== undefined)];
}
