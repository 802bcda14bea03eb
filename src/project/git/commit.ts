import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { callGit, git } from './call-git.js';
import { ignoredOf } from './ignored.js';

/** What became of the repository, as one sentence for people if it is not the usual. */
export interface Committed {
  isCommitted: boolean;
  remark?: string;
}

/**
 * Makes the folder a git repository with one commit. A repository which is there already is used if it has no
 * commit yet, and left alone otherwise.
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
  const committed = await git(folder, 'commit', '--quiet', '--message', message);
  if (committed !== undefined) return { isCommitted: true };
  return {
    isCommitted: false,
    remark: `git could not commit (does it know your name?). To do it: git commit -m ${JSON.stringify(message)}`,
  };
}

/** Commits these paths, written or removed, and nothing else; no hook runs. What git ignores stays out. */
export async function commitPaths(
  root: string,
  paths: string[],
  message: string,
): Promise<Committed> {
  const left = await ignoredOf(root, paths);
  const taken = joined(paths.filter((path) => !left.has(path)));
  const from = ['--pathspec-from-file=-', '--pathspec-file-nul'];
  const added = await callGit(root, ['add', '--all', ...from], taken);
  const committed =
    added?.exitCode === 0 &&
    (await callGit(
      root,
      ['commit', '--quiet', '--no-verify', '--message', message, '--only', ...from],
      taken,
    ));
  if (committed && committed.exitCode === 0) return { isCommitted: true };
  return {
    isCommitted: false,
    remark: `git could not commit (does it know your name?). To do it: git add --all && git commit -m ${JSON.stringify(message)}`,
  };
}

function joined(paths: string[]): string {
  return paths.map((path) => `${path}\0`).join('');
}
