import type { Outcome } from '../../src/upgrade/upgrade-plan.js';
import type { TeamProject } from './team-project.js';

/** What a later release changes in the templates. Paths are below `templates/`. */
export type TemplateChange =
  | { path: string; from: string; to: string }
  | { path: string; added: string }
  | { path: string; movedTo: string }
  | { path: string; removed: true };

/**
 * An edit that a team makes to its project, and its fate when a later release changes things nearby. All that has to
 * be adapted when a template changes is in this one entry.
 */
export interface TeamEdit {
  /** Its name in the table. */
  team: string;
  /** What the later release changes there. */
  template: string;
  /** The replacements for it; none if another edit already has them. The release has the changes of all edits. */
  upstream?: TemplateChange[];
  apply(project: TeamProject): void;
  /** Path → what the upgrade does with it. The table shows the first one. */
  outcomes: Record<string, Outcome>;
  /** Path → texts of both sides that are in the file afterwards. */
  has?: Record<string, string[]>;
  /** Paths that must not be there afterwards. */
  lacks?: string[];
  /** The side that the team chooses where it is asked; its own by default. */
  decides?: 'yours' | 'theirs';
  /** True if it touches the whole project, so that no other edit can be tried together with it. */
  isSweeping?: true;
  /** True if the compiler does not check it. */
  changesNoCode?: true;
}

/** The paths about which an edit leaves a decision open. */
export function pendingOf({ outcomes }: TeamEdit): string[] {
  const waiting = ['conflict', 'beside', 'no-base'];
  return Object.keys(outcomes).filter((path) => waiting.includes(outcomes[path] ?? ''));
}

/** Where a project's texts differ from those that an edit expects afterwards. */
export function faultsOf(
  { has = {}, lacks = [] }: TeamEdit,
  textAt: (path: string) => string | undefined,
): string[] {
  const missing = Object.entries(has).flatMap(([path, texts]) =>
    texts.filter((text) => !textAt(path)?.includes(text)).map((text) => `${path} lacks ${text}`),
  );
  return [...missing, ...lacks.filter((path) => textAt(path) !== undefined)];
}
