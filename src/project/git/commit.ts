import { existsSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { typedPath } from '../../quoting.js';
import { statsOf } from '../read-file.js';
import type { Ended } from '../run.js';
import type { Target } from '../target.js';
import { callGit, git, gitItems, ignoredOf, nulTerminated, reasonIn } from './call-git.js';
import type { RepositoryState } from './repository.js';

/** Whether the commit was made, with a sentence for people if something is unusual. */
export interface Committed {
  isCommitted: boolean;
  remark?: string;
  /** What somebody can type in the folder of a new project once the cause is gone. */
  toCommit?: string;
}

/**
 * Makes the folder a git repository with one commit of all that is in it; of a folder that was not empty, only of the
 * project: the rest may be private. An existing repository is used if it has no commit yet, and otherwise left alone.
 * @param emitted paths that belong to the project
 */
export async function commitProject(
  { path: folder, isOccupied }: Target,
  emitted: string[],
  message: string,
): Promise<Committed> {
  const isNew = !existsSync(join(folder, '.git'));
  const inside = await git(folder, 'rev-parse', '--is-inside-work-tree');
  if (inside === undefined && !(await git(folder, '--version'))) {
    return notCommitted('git is not installed: no repository was created.');
  }
  if (isNew && inside !== undefined && /^true$/m.test(inside)) {
    const remark = 'This folder is already in a git repository: no new one was created.';
    return notCommitted(remark + workflowsRemark(emitted));
  }
  if (!isNew && (await git(folder, 'rev-parse', '--verify', 'HEAD'))) {
    return notCommitted('The repository already has commits: nothing was committed.');
  }
  if (isNew) await git(folder, 'init', '--quiet');
  if (!isOccupied) await git(folder, 'add', '--all');
  await stage(folder, await kept(folder, emitted));
  const committed = await callGit(folder, ['commit', '--quiet', '--message', message]);
  if (committed?.exitCode === 0) return isOccupied ? { ...done, remark: notTheRest } : done;
  const remark = `git could not commit: ${reasonIn(committed)}`;
  const toCommit = isOccupied ? commitCommand(message) : toCommitCreated(isOccupied, message);
  return { ...notCommitted(remark), toCommit };
}

/** A copy, since an upgrade looks for files only within the project. */
function workflowsRemark(emitted: string[]): string {
  const [, folder] = emitted.map((path) => /^(\..+\/workflows)\//.exec(path)).find(Boolean) ?? [];
  if (folder === undefined) return '';
  return ` Workflows run only from the top of a repository: copy ${folder} there, and add working-directory.`;
}

const notTheRest = 'Only files of the project were committed, not what was in the folder before.';

/** What somebody can type if nothing may be staged yet. What was in the folder before is not for a command to add. */
export function toCommitCreated(isOccupied: boolean, message: string): string {
  if (!isOccupied) return `git add --all && ${commitCommand(message)}`;
  return `git add the files of the project, not what was here before; then ${commitCommand(message)}`;
}

/**
 * Commits these paths, written or removed, and nothing else; no hook runs. Left out is what the project's `.gitignore`
 * excludes, and what is gone and in no commit: git does not know its path.
 */
export async function commitPaths(
  root: string,
  { tracked, changed }: RepositoryState,
  paths: string[],
  message: string,
): Promise<Committed> {
  const isThere = (path: string) => tracked.has(path) || statsOf(join(root, path)) !== undefined;
  // A removal that somebody has staged is in neither place.
  const known = paths.filter((path) => isThere(path) || changed.includes(path));
  const taken = await kept(root, known);
  const command = commitCommand(message);
  const added = await stage(root, taken.filter(isThere));
  if (added?.exitCode !== 0) {
    return failure(added, `git add --force ${named(taken)} && ${command} ${named(taken)}`);
  }
  // Only now: a path that somebody has only staged, and then deleted, has just left the index.
  const inGit = await pathsInGit(root);
  const toCommit = taken.filter((path) => inGit.has(path));
  if (toCommit.length === 0) {
    return notCommitted('Git ignores all that was written: nothing was committed.');
  }
  const options = ['--quiet', '--no-verify', '--message', message, '--only', ...fromInput];
  const committed = await callGit(root, ['commit', ...options], nulTerminated(toCommit));
  if (committed?.exitCode === 0) return done;
  const isEnough = await isAllStaged(root, toCommit);
  return failure(committed, isEnough ? command : `${command} ${named(toCommit)}`);
}

/** Paths at the end of a command of git. */
function named(paths: string[]): string {
  return `-- ${paths.map(typedPath).join(' ')}`;
}

/** The paths in git's index or in the last commit, relative to the project. */
async function pathsInGit(root: string): Promise<Set<string>> {
  const lists = await Promise.all([
    gitItems(root, 'ls-files', '-z'),
    gitItems(root, 'ls-tree', '-r', '--name-only', '-z', 'HEAD'),
  ]);
  return new Set(lists.flatMap((list) => list ?? []));
}

const fromInput = ['--pathspec-from-file=-', '--pathspec-file-nul'];

/**
 * By force, despite an ignore file of this machine. Without `--all`, which would stage everything if no path is named;
 * removed files are staged anyway.
 */
function stage(root: string, paths: string[]): Promise<Ended | undefined> {
  return callGit(root, ['add', '--force', ...fromInput], nulTerminated(paths));
}

/** The paths that the project wants in its repository: its own `.gitignore` counts, one of this machine does not. */
async function kept(root: string, paths: string[]): Promise<string[]> {
  const ignored = await ignoredOf(root, paths);
  return paths.filter((path) => {
    const source = ignored.get(path);
    const isOwn = source !== undefined && !isAbsolute(source) && /(^|\/)\.gitignore$/.test(source);
    return path !== '.env' && !isOwn;
  });
}

/** True if nothing but these paths is staged: then `git commit` alone takes nothing else. */
async function isAllStaged(root: string, paths: string[]): Promise<boolean> {
  const [staged = [], folder = ''] = await Promise.all([
    gitItems(root, 'diff', '--cached', '--name-only', '--no-renames', '-z'),
    git(root, 'rev-parse', '--show-prefix'),
  ]);
  const ours = new Set(paths.map((path) => folder + path));
  return staged.every((path) => ours.has(path));
}

const done: Committed = { isCommitted: true };

/** @param remark a sentence for people */
export function notCommitted(remark: string): Committed {
  return { isCommitted: false, remark };
}

/** @param command what somebody can type once the cause is gone */
function failure(answer: Ended | undefined, command: string): Committed {
  return notCommitted(`git could not commit: ${reasonIn(answer)}\nTo commit: ${command}`);
}

function commitCommand(message: string): string {
  return `git commit -m ${JSON.stringify(message)}`;
}
