import { join } from 'node:path';
import { listed, UserError } from '../../errors.js';
import { packPath } from '../../plan/base-pack.js';
import { recordFolder } from '../../plan/manifest.js';
import { typedPath } from '../../quoting.js';
import type { Project } from '../open-project.js';
import { statsOf } from '../read-file.js';
import type { Ended } from '../run.js';
import { callGit, git, gitItems, ignoredOf, itemsIn, reasonIn } from './call-git.js';

/** The git repository that the project is in, as far as an upgrade needs to know it. */
export interface RepositoryState {
  /** Paths below the project's folder with tracked changes, staged or not. Relative to the project. */
  changed: string[];
  /** Paths with a conflict of git's own that nobody has resolved. */
  unmerged: string[];
  /** Tracked paths, relative to the project. */
  tracked: Set<string>;
}

const unmergedStates = ['DD', 'AU', 'UD', 'UA', 'DU', 'AA', 'UU'];

/**
 * Asks git about the project's folder: the top of a repository, a folder in one, a worktree or a submodule.
 * @returns undefined without git or a repository
 * @throws UserError if git refuses to look, for example because somebody else owns the repository
 */
export async function readRepository(root: string): Promise<RepositoryState | undefined> {
  const found = await callGit(root, ['rev-parse', '--is-inside-work-tree', '--show-prefix']);
  if (!found) return undefined;
  if (found.exitCode !== 0) {
    const isNone = found.stderr.includes('not a git repository');
    // It may be a repository anyway: a broken one, or a worktree whose repository is gone.
    if (isNone && !statsOf(join(root, '.git'))) return undefined;
    throw refusal(found);
  }
  const [isInside, prefix = ''] = found.stdout.toString().split('\n');
  if (isInside !== 'true') return undefined;
  const [status, tracked] = await Promise.all([
    ask(root, ['status', '--porcelain', '-z', '--no-renames', ...trackedOnly, '--', '.']),
    ask(root, ['ls-files', '-z']),
  ]);
  const entries = status.map((line) => ({
    state: line.slice(0, 2),
    path: line.slice(3 + prefix.length),
  }));
  return {
    changed: entries.map(({ path }) => path),
    unmerged: entries.filter(({ state }) => unmergedStates.includes(state)).map(({ path }) => path),
    tracked: new Set(tracked),
  };
}

const trackedOnly = ['--untracked-files=no', '--ignore-submodules=dirty'];

/**
 * Refuses an upgrade that would overwrite what git cannot restore.
 * @param written paths that will be changed and exist
 * @throws UserError if a file in the way has uncommitted changes, unless that is allowed; and always if git itself has
 *   unresolved conflicts
 */
export async function refuseUncommitted(
  root: string,
  { changed, unmerged, tracked }: RepositoryState,
  written: string[],
  isAllowed: boolean,
): Promise<void> {
  if (unmerged.length > 0) {
    throw new UserError(
      `git has conflicts that are not resolved:\n${listed(unmerged)}`,
      'Resolve and commit them first.',
    );
  }
  if (isAllowed) return;
  const untracked = written.filter(
    (path) => !tracked.has(path) && !path.startsWith(`${recordFolder}/`),
  );
  const ignored = [...(await ignoredOf(root, untracked)).keys()].sort();
  if (ignored.length > 0) {
    throw new UserError(
      `Ignored by git, which could not restore them:\n${listed(ignored)}`,
      `To have git keep them: git add --force ${ignored.map(typedPath).join(' ')}, and commit. Or continue with --allow-dirty.`,
    );
  }
  const dirty = [...new Set([...changed, ...untracked])].sort();
  if (dirty.length === 0) return;
  throw new UserError(
    `Not committed:\n${listed(dirty)}`,
    'Commit or stash them first, so that git shows what was changed; or continue with --allow-dirty.',
  );
}

/** @throws UserError if git cannot commit some paths alone: without a repository, or in the middle of a merge */
export async function requireCommittable(root: string, repository: RepositoryState | undefined) {
  if (!repository) throw new UserError('--commit needs git and a repository.');
  for (const head of ['MERGE_HEAD', 'CHERRY_PICK_HEAD']) {
    if ((await git(root, 'rev-parse', '--quiet', '--verify', head)) === undefined) continue;
    throw new UserError(
      'git can commit nothing else in the middle of a merge or a cherry-pick.',
      'Finish it first, see "git status"; or leave out --commit.',
    );
  }
}

/** False if the current branch does not contain the commit. True without a commit, or without git to ask. */
export async function isBehind(root: string, commit: string | undefined): Promise<boolean> {
  if (commit === undefined) return true;
  const answer = await callGit(root, ['merge-base', '--is-ancestor', commit, 'HEAD']);
  return answer?.exitCode !== 1;
}

async function ask(root: string, args: string[]): Promise<string[]> {
  const answer = await callGit(root, args);
  if (answer?.exitCode !== 0) throw refusal(answer);
  return itemsIn(answer);
}

function refusal(answer: Ended | undefined): UserError {
  return new UserError(
    `git cannot read this repository: ${reasonIn(answer)}`,
    'See "git status"; to upgrade without git, move the folder out of the repository.',
  );
}

/** The emitted files, and the pack of their pristine texts, that git has but a sparse checkout omits. */
export async function leftOut({ root, manifest }: Project): Promise<string[]> {
  const lines = await gitItems(root, 'ls-files', '-t', '-z');
  const skipped = (lines ?? []).flatMap((line) => (line.startsWith('S ') ? [line.slice(2)] : []));
  if (skipped.length === 0) return [];
  const emitted = new Set([
    packPath,
    ...manifest.files.map(({ path, movedTo }) => movedTo ?? path),
  ]);
  return skipped.filter((path) => emitted.has(path) && statsOf(join(root, path)) === undefined);
}

/** @throws UserError if files are left out: they would count as deleted and never get the template's changes */
export async function refuseSparse(project: Project): Promise<void> {
  const paths = await leftOut(project);
  if (paths.length === 0) return;
  throw new UserError(`Not in this sparse checkout:\n${listed(paths)}`, wholeCheckout);
}

/** How to get the omitted files. */
export const wholeCheckout = 'An upgrade needs all of the project: git sparse-checkout disable';
