import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { statsOf } from '../read-file.js';
import type { Ended } from '../run.js';
import { callGit, git, ignoredOf, reasonIn } from './call-git.js';
import type { RepositoryState } from './repository.js';

/** What became of the repository, with a sentence for people if something is unusual. */
export interface Committed {
  isCommitted: boolean;
  remark?: string;
}

/**
 * Makes the folder a git repository with one commit. An existing repository is used if it has no
 * commit yet, and otherwise left alone.
 */
export async function commitProject(folder: string, message: string): Promise<Committed> {
  const isNew = !existsSync(join(folder, '.git'));
  const inside = await git(folder, 'rev-parse', '--is-inside-work-tree');
  if (inside === undefined && !(await git(folder, '--version'))) {
    return { isCommitted: false, remark: 'git is not installed: no repository was made.' };
  }
  if (isNew && inside !== undefined && /^true$/m.test(inside)) {
    return {
      isCommitted: false,
      remark: 'This is inside a git repository: no other one was made.',
    };
  }
  if (!isNew && (await git(folder, 'rev-parse', '--verify', 'HEAD'))) {
    return {
      isCommitted: false,
      remark: 'The repository has commits already: nothing was committed.',
    };
  }
  if (isNew) await git(folder, 'init', '--quiet');
  await git(folder, 'add', '--all');
  return outcomeOf(await callGit(folder, ['commit', '--quiet', '--message', message]), message);
}

/**
 * Commits these paths, written or removed, and nothing else; no hook runs. Ignored files are left out, and those that are
 * gone and that git never tracked: it does not know their paths.
 */
export async function commitPaths(
  root: string,
  { tracked }: RepositoryState,
  paths: string[],
  message: string,
): Promise<Committed> {
  const left = await ignoredOf(root, paths);
  const isThere = (path: string) => tracked.has(path) || statsOf(join(root, path)) !== undefined;
  const taken = joined(paths.filter((path) => isThere(path) && !left.has(path)));
  const from = ['--pathspec-from-file=-', '--pathspec-file-nul'];
  const added = await callGit(root, ['add', '--all', ...from], taken);
  if (added?.exitCode !== 0) return outcomeOf(added, message);
  const options = ['--quiet', '--no-verify', '--message', message, '--only', ...from];
  return outcomeOf(await callGit(root, ['commit', ...options], taken), message);
}

function outcomeOf(answer: Ended | undefined, message: string): Committed {
  if (answer?.exitCode === 0) return { isCommitted: true };
  const command = `git add --all && git commit -m ${JSON.stringify(message)}`;
  return {
    isCommitted: false,
    remark: `git could not commit: ${reasonIn(answer)}\nTo commit: ${command}`,
  };
}

function joined(paths: string[]): string {
  return paths.map((path) => `${path}\0`).join('');
}
