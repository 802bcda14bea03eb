import { join, resolve } from 'node:path';
import type { FlagValues } from '../answers/flags.js';
import { packageManagers } from '../answers/package-managers.js';
import { questionsFrom } from '../answers/questions.js';
import { resolveRequest } from '../answers/resolve.js';
import type { Catalog } from '../catalog/catalog.js';
import { UserError } from '../errors.js';
import { interruptible } from '../interrupt.js';
import { planFromTemplates } from '../plan/plan-project.js';
import { applyChanges } from '../project/changes/apply-changes.js';
import { healProject } from '../project/changes/heal-project.js';
import { readWaiting } from '../project/changes/journal.js';
import { git } from '../project/git/call-git.js';
import { type Committed, commitProject, toCommitCreated } from '../project/git/commit.js';
import { restoreIndex } from '../project/git/index-stages.js';
import { type Installed, installDependencies } from '../project/install.js';
import { statsOf } from '../project/read-file.js';
import { inspectTarget, type Target } from '../project/target.js';
import { openTerminal } from '../terminal.js';
import { type CreateChanges, changesToCreate } from './create-files.js';
import { type Creation, report, reportDryRun, reportInterrupted } from './create-report.js';

/**
 * Emits a project, installs its dependencies and commits it.
 * @returns the exit code: 1 if only the installation failed
 * @throws UserError if nothing was written
 */
export async function create(
  catalog: Catalog,
  directory: string | undefined,
  flags: FlagValues,
): Promise<number> {
  const terminal = openTerminal(flags);
  const questions = questionsFrom(catalog);
  const isDryRun = flags.dryRun === true;
  if (flags.diff === true && !isDryRun) throw new UserError('--diff needs --dry-run.');
  const look = (path: string) => {
    if (!isDryRun) healProject(resolve(path));
    return inspectTarget(path, { isForced: flags.force === true });
  };

  if (directory !== undefined) look(directory);
  const request = await resolveRequest(catalog, questions, directory, flags, terminal);
  const plan = planFromTemplates(catalog, request.answers);
  const creation = { questions, request, plan, flags, terminal };
  const target = look(request.directory);
  const planned = changesToCreate(target, plan);
  if (isDryRun) return reportDryRun(creation, planned);
  const title = `Create the service with create-auth-service ${plan.version}`;
  // A change that waits there is over: its conflicts would stay in git's index.
  const { index = [] } = (await readWaiting(target.path)) ?? {};
  await restoreIndex(target.path, index, { onlyUnmerged: true });
  await applyChanges(target.path, planned.changes, { title, isPending: false });

  const installed =
    flags.install === false ? undefined : await install(creation, target, planned, title);
  const isInstalled = installed !== undefined && !installed.problem;
  const committed =
    flags.git === false
      ? undefined
      : await commit(creation, target, planned, { title, isInstalled });
  return report(creation, { ...planned, installed, committed });
}

async function install(
  creation: Creation,
  { path, isOccupied }: Target,
  planned: CreateChanges,
  title: string,
): Promise<Installed> {
  const { request, flags, terminal } = creation;
  const isForGit = flags.git !== false && !(await git(path, 'rev-parse', '--git-dir'));
  const toCommit = isForGit ? `git init && ${toCommitCreated(isOccupied, title)}` : undefined;
  const whenInterrupted = () =>
    reportInterrupted(creation, planned, { installed: false, toCommit });
  return installDependencies(path, request.answers.packageManager, whenInterrupted, terminal);
}

function commit(
  creation: Creation,
  target: Target,
  planned: CreateChanges,
  { title, isInstalled }: { title: string; isInstalled: boolean },
): Promise<Committed> {
  const written = planned.changes.flatMap((change) => (change.after ? [change.path] : []));
  const { lockfile } = packageManagers[creation.request.answers.packageManager];
  // npm can be told to write none.
  const emitted = statsOf(join(target.path, lockfile)) ? [...written, lockfile] : written;
  const toCommit = toCommitCreated(target.isOccupied, title);
  return interruptible(
    () => reportInterrupted(creation, planned, { installed: isInstalled, toCommit }),
    () => commitProject(target, emitted, title),
  );
}
