import { readAdvisories } from '../advisories/advisory.js';
import { advisoriesAfter } from '../advisories/fixed-by.js';
import type { Catalog } from '../catalog/catalog.js';
import { findPlaces } from '../drift/file-drift.js';
import { pendingExitCode, UserError } from '../errors.js';
import { uninterrupted } from '../interrupt.js';
import { leavesProject, manifestText } from '../plan/manifest.js';
import { abortChanges, type Finished, finishChanges } from '../project/changes/finish-changes.js';
import { gitItems } from '../project/git/call-git.js';
import { type Committed, commitPaths } from '../project/git/commit.js';
import {
  type RepositoryState,
  readRepository,
  requireCommittable,
} from '../project/git/repository.js';
import { findProject, openProject, type Project } from '../project/open-project.js';
import { ownPaths } from '../project/paths-below.js';
import { readAnyFile, readProjectFile } from '../project/read-file.js';
import { type OutputFlags, openTerminal } from '../terminal.js';
import { pathsToDecide, stillPending, undecidedElsewhere } from '../upgrade/still-pending.js';
import { type ChangeFlags, carryOut, checkChangeFlags } from './carry-out.js';
import {
  idleVariables,
  openForChange,
  refuseEdited,
  replan,
  undoKilledRun,
  withoutSecretsThere,
} from './open-for-change.js';
import { warnOfCommit, warnOfPending } from './upgrade-report.js';

interface UpgradeFlags extends ChangeFlags {
  continue?: boolean;
  abort?: boolean;
}

/**
 * Brings newer templates into the project around the working directory.
 * @returns the exit code: 2 if somebody has to decide about something
 * @throws UserError if nothing was changed
 */
export async function upgrade(catalog: Catalog, flags: UpgradeFlags): Promise<number> {
  if (flags.continue && flags.abort) throw new UserError('Use either --continue or --abort.');
  if ((flags.continue || flags.abort) && flags.dryRun) {
    throw new UserError(
      '--dry-run shows an upgrade: it cannot be combined with --continue or --abort.',
    );
  }
  checkChangeFlags(flags);
  if (flags.abort) return abortUpgrade(flags);
  if (flags.continue) return continueUpgrade(catalog, flags);
  const { project, terminal } = openForChange(flags);
  const { next, plan } = await replan(catalog, project, project.manifest.answers, flags);
  const notes = idleVariables(project, next);
  const title =
    plan.from === plan.to ? `Upgrade to ${plan.to}` : `Upgrade from ${plan.from} to ${plan.to}`;
  const read = (path: string) => readAnyFile(project.root, path)?.content;
  const known = readAdvisories();
  const advisories = advisoriesAfter(known, project.manifest.files, plan, read);
  return carryOut({ project, plan, title, notes, advisories }, flags, terminal);
}

/**
 * Finishes a change that waited for decisions, once all are made.
 * @returns the exit code: 2 if something is still open; then nothing is changed; 1 if git could not commit
 */
async function continueUpgrade(catalog: Catalog, flags: ChangeFlags): Promise<number> {
  const terminal = openTerminal(flags);
  const root = findProject(process.cwd());
  undoKilledRun(root, terminal);
  const project = openProject(root);
  refuseEdited(project);
  const { pending } = project.manifest;
  if (pending.length === 0) {
    terminal.document<'upgradeContinue'>({ done: false, pending });
    terminal.say('Nothing to continue: nothing is pending.');
    return 0;
  }
  const open = await stillPending(
    project.manifest,
    (path) => (leavesProject(path) ? undefined : readProjectFile(root, path)?.content.toString()),
    othersIn(root),
  );
  if (open.length > 0) {
    terminal.document<'upgradeContinue'>({ done: false, pending, open });
    terminal.say('Still pending:');
    for (const { path, reason } of open) {
      terminal.say(`  ${terminal.paint('yellow', path)}: ${reason}`);
    }
    warnOfPending(pending, flags.commit === true, terminal);
    return pendingExitCode;
  }
  const repository = await readRepository(root);
  if (flags.commit) await requireCommittable(root, repository);
  const { finished, committed } = await uninterrupted(async () => {
    const finished = await finishChanges(root, manifestText({ ...project.manifest, pending: [] }));
    const isCommitting = flags.commit && repository;
    const committed = isCommitting
      ? await commit(catalog, project, finished, repository)
      : undefined;
    return { finished, committed };
  });
  const nextSteps = withoutSecretsThere(project, finished.nextSteps).filter(
    (step) => !step.includes('upgrade --continue'),
  );
  terminal.document<'upgradeContinue'>({
    done: true,
    pending: [],
    nextSteps,
    committed: committed?.isCommitted,
  });
  const isLeft = committed?.isCommitted === false;
  const exitCode = isLeft ? warnOfCommit(committed, 'nothing is pending', terminal) : 0;
  if (!isLeft) terminal.say(`${terminal.paint('green', 'Done')}: nothing is pending.`);
  terminal.sayList('Next:', nextSteps);
  return exitCode;
}

function othersIn(root: string) {
  const read = (path: string) => readAnyFile(root, path)?.content.toString();
  return { paths: () => ownPaths(root), read };
}

/** Commits what the change wrote and what waited for a decision, as they are now, wherever the team has moved them. */
async function commit(
  catalog: Catalog,
  project: Project,
  { title, paths }: Finished,
  repository: RepositoryState,
): Promise<Committed> {
  const { root, manifest } = project;
  const all = new Set([...paths, ...pathsToDecide(manifest.pending)]);
  const { moves } = await findPlaces(catalog, project);
  // Else only their removal would be committed.
  for (const { from, path } of moves) if (all.has(from)) all.add(path);
  const message = title ?? `Upgrade to create-auth-service ${manifest.version}`;
  return commitPaths(root, repository, [...all], message);
}

/**
 * Restores everything as it was before the change that waits for decisions.
 * @returns the exit code
 * @throws UserError if the state before is not known here
 */
async function abortUpgrade(flags: OutputFlags): Promise<number> {
  const terminal = openTerminal(flags);
  const root = findProject(process.cwd());
  const isHealed = undoKilledRun(root, terminal);
  const { pending } = openProject(root).manifest;
  if (pending.length === 0) {
    terminal.document<'upgradeAbort'>({ aborted: false, healed: isHealed, kept: [] });
    if (!isHealed) terminal.say('Nothing to abort: nothing is pending.');
    return 0;
  }
  const moved = await undecidedElsewhere(pending, othersIn(root));
  const beside = await uninterrupted(() => abortChanges(root));
  if (!beside) {
    throw new UserError(
      'The previous texts of the files are not here: the change was made in another checkout, or on another branch.',
      'Use git to go back to the commit before it.',
    );
  }
  const kept = [...beside, ...moved.map(({ path }) => path)];
  terminal.document<'upgradeAbort'>({ aborted: true, healed: isHealed, kept });
  terminal.say('Everything is as it was before.');
  if ((await gitItems(root, 'diff', '--cached', '--name-only', '-z', '--', '.'))?.length) {
    terminal.say('What you have staged in git is still staged. To unstage it: git reset');
  }
  for (const path of kept) terminal.say(`Changed since then, so it was kept: ${path}`);
  return 0;
}
