import type { AdvisoriesAfter } from '../advisories/fixed-by.js';
import { UserError } from '../errors.js';
import { uninterrupted } from '../interrupt.js';
import { applyChanges } from '../project/changes/apply-changes.js';
import { git } from '../project/git/call-git.js';
import { type Committed, commitPaths, notCommitted } from '../project/git/commit.js';
import { indexOf, stageConflicts } from '../project/git/index-stages.js';
import {
  type RepositoryState,
  readRepository,
  refuseSparse,
  refuseUncommitted,
  requireCommittable,
} from '../project/git/repository.js';
import type { Project } from '../project/open-project.js';
import { withProgress } from '../project/progress.js';
import type { OutputFlags, Terminal } from '../terminal.js';
import type { TreeChange, UpgradePlan } from '../upgrade/upgrade-plan.js';
import { reportDone, reportPlanned } from './upgrade-report.js';

/** The flags of every command that changes a project. */
export interface ChangeFlags extends OutputFlags {
  dryRun?: boolean;
  diff?: boolean;
  allowDirty?: boolean;
  commit?: boolean;
  /** False after `--no-moves`. */
  moves?: boolean;
}

/** A plan for a project, and what people call it. */
export interface Change {
  project: Project;
  plan: UpgradePlan;
  /** `Upgrade to 0.2.0`, …: the title of the report and the message of the commit. */
  title: string;
  /** Sentences for people that concern no single file. */
  notes?: string[];
  /** Its effect on known vulnerabilities. */
  advisories?: AdvisoriesAfter;
  /** True after `--no-moves`: what is not in its place may have been moved. */
  areMovesRefused?: boolean;
}

/** @throws UserError for flags that contradict each other */
export function checkChangeFlags({ dryRun, diff, allowDirty, commit }: ChangeFlags): void {
  if (diff && !dryRun) throw new UserError('--diff needs --dry-run.');
  if (commit && dryRun) throw new UserError('--commit makes no sense with --dry-run.');
  if (commit && allowDirty) {
    throw new UserError(
      '--commit and --allow-dirty together would commit what you have not committed yourself.',
    );
  }
}

/**
 * Shows a plan, or carries it out: all or nothing.
 * @returns the exit code: 2 if somebody has to decide about something, 1 if git could not commit what was written
 * @throws UserError if nothing was changed: uncommitted work, a file that changed meanwhile, a failing disk
 */
export async function carryOut(
  asked: Change,
  flags: ChangeFlags,
  terminal: Terminal,
): Promise<number> {
  const change = { ...asked, areMovesRefused: flags.moves === false };
  const { project, plan } = change;
  const { root } = project;
  const isMissing = plan.outcomes.some(({ outcome }) => outcome === 'deleted');
  if (!flags.dryRun || isMissing) await refuseSparse(project);
  const changes = [...plan.changes, ...plan.record];
  if (flags.dryRun) {
    const refusal = await refusalOf(repositoryFor(root, changes, flags));
    const notes = [...(change.notes ?? []), ...refusal];
    return reportPlanned({ ...change, notes }, { withPatch: flags.diff === true }, terminal);
  }
  const repository = await repositoryFor(root, changes, flags);
  if (changes.length === 0) {
    return reportDone(change, { written: 0, committed: undefined }, terminal);
  }
  const { written, isStagedInGit, committed } = await withProgress(terminal, 'Writing', () =>
    write(change, changes, repository, flags.commit === true),
  );
  const notes = [...(change.notes ?? []), ...(isStagedInGit ? [] : [notStaged])];
  return reportDone({ ...change, notes }, { written, committed }, terminal);
}

/** @throws UserError if git could not restore what the changes overwrite */
async function repositoryFor(
  root: string,
  changes: TreeChange[],
  { allowDirty, commit }: ChangeFlags,
): Promise<RepositoryState | undefined> {
  const repository = await readRepository(root);
  if (commit) await requireCommittable(root, repository);
  if (repository && changes.length > 0) {
    const written = changes.flatMap(({ path, before }) => (before ? [path] : []));
    await refuseUncommitted(root, repository, written, allowDirty === true);
  }
  return repository;
}

/** What a dry run says about a change that would be refused. */
async function refusalOf(opening: Promise<unknown>): Promise<string[]> {
  try {
    await opening;
    return [];
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return [
      `Without --dry-run it would be refused now. ${error.message}`,
      ...(error.hint ? [error.hint] : []),
    ];
  }
}

async function commitDecided(
  { project: { root }, plan: { pending }, title }: Change,
  paths: string[],
  repository: RepositoryState,
): Promise<Committed> {
  if (pending.length === 0) return commitPaths(root, repository, paths, title);
  return notCommitted('Nothing is committed until everything is decided.');
}

const notStaged =
  "Git's index could not be written: the conflicts are marked in the files, but `git status` does not show them.";

async function write(
  change: Change,
  changes: TreeChange[],
  repository: RepositoryState | undefined,
  isCommitWanted: boolean,
): Promise<{ written: number; isStagedInGit: boolean; committed: Committed | undefined }> {
  const { project, plan, title } = change;
  const { root } = project;
  const { conflicts, pending, nextSteps } = plan;
  const marked = repository ? conflicts : [];
  const index = await indexOf(root, marked);
  const isPending = pending.length > 0;
  const head = repository && (await git(root, 'rev-parse', 'HEAD'));
  const written = await applyChanges(root, changes, { title, nextSteps, isPending, index, head });
  return uninterrupted(async () => {
    const isStagedInGit = marked.length === 0 || (await stageConflicts(root, marked, index));
    const paths = changes.map(({ path }) => path);
    const isCommitting = isCommitWanted && repository && written > 0;
    const committed = isCommitting ? await commitDecided(change, paths, repository) : undefined;
    return { written, isStagedInGit, committed };
  });
}
