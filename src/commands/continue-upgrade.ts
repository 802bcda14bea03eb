import { cwd } from 'node:process';
import { pendingExitCode, UserError } from '../errors.js';
import { manifestText } from '../plan/manifest.js';
import { type Finished, finishChanges } from '../project/changes/finish-changes.js';
import { readWaiting } from '../project/changes/journal.js';
import { commitPaths } from '../project/git/commit-paths.js';
import type { Committed } from '../project/git/commit-project.js';
import { restoreIndex } from '../project/git/index-stages.js';
import { lookAtRepository, type RepositoryState } from '../project/git/repository.js';
import { findProject, openProject, type Project } from '../project/open-project.js';
import { pathsBelow } from '../project/paths-below.js';
import { readAnyFile, readProjectFile } from '../project/read-file.js';
import { openTerminal } from '../terminal.js';
import { leavesProject } from '../upgrade/leaves-project.js';
import {
  pathsToDecide,
  type StillPending,
  stillMarked,
  stillPending,
} from '../upgrade/still-pending.js';
import type { ChangeFlags } from './carry-out.js';
import { healAndTell, refuseEdited } from './open-for-change.js';
import { sayList } from './upgrade-report.js';

/**
 * Ends a change that waited for decisions, if all are taken.
 * @returns the exit code: 2 if something is still open; then nothing is changed
 */
export async function continueUpgrade(flags: ChangeFlags): Promise<number> {
  const terminal = openTerminal(flags);
  const root = findProject(cwd());
  healAndTell(root, terminal);
  const project = openProject(root);
  refuseEdited(project);
  const { pending } = project.manifest;
  const open = stillOpen(project);
  if (pending.length === 0) {
    terminal.document({ done: false, pending });
    terminal.say('Nothing to continue: nothing is pending.');
    return 0;
  }
  if (open.length > 0) {
    terminal.document({ done: false, pending, open });
    terminal.say('Not decided yet:');
    for (const { path, reason } of open) {
      terminal.say(`  ${terminal.paint('yellow', path)}: ${reason}`);
    }
    return pendingExitCode;
  }
  const repository = await lookAtRepository(root);
  if (flags.commit && !repository) throw new UserError('--commit needs git and a repository.');
  // Before the end: who is killed in between can say the same again.
  await restoreIndex(root, readWaiting(root)?.index ?? [], { onlyUnmerged: true });
  const finished = finishChanges(root, manifestText({ ...project.manifest, pending: [] }));
  const committed =
    flags.commit && repository ? await commit(project, finished, repository) : undefined;
  const nextSteps = stepsLeft(finished);
  terminal.document({ done: true, pending: [], nextSteps, committed: committed?.isCommitted });
  sayList(terminal, 'Next:', nextSteps);
  if (committed?.remark) terminal.say(committed.remark);
  terminal.say(`${terminal.paint('green', 'Done')}: everything is decided.`);
  return 0;
}

/** Commits what the change wrote, as it is now; git knows nothing of a file that it never had and that is gone. */
function commit(
  { root, manifest: { version } }: Project,
  { title, paths }: Finished,
  { tracked }: RepositoryState,
): Promise<Committed> {
  const known = paths.filter((path) => tracked.has(path) || readProjectFile(root, path));
  return commitPaths(root, known, title ?? `Upgrade to create-auth-service ${version}`);
}

/** But for the one that has just been taken. */
function stepsLeft({ nextSteps }: Finished): string[] {
  return nextSteps.filter((step) => !step.includes('upgrade --continue'));
}

function stillOpen({ root, manifest: { pending } }: Project): StillPending[] {
  const contents = contentsOf(root, pathsToDecide(pending), readProjectFile);
  const isMissing = pending.some((path) => !contents.has(path));
  const others = isMissing ? pathsBelow(root).filter((path) => !contents.has(path)) : [];
  return [
    ...stillPending(pending, contents),
    ...stillMarked(contentsOf(root, others, readAnyFile)),
  ];
}

function contentsOf(
  root: string,
  paths: string[],
  read: typeof readProjectFile,
): Map<string, Buffer> {
  const found = paths.flatMap((path) => {
    const file = leavesProject(path) ? undefined : read(root, path);
    return file ? [[path, file.content] as const] : [];
  });
  return new Map(found);
}
