import { callGit, checkIgnore } from './call-git.js';
import type { Committed } from './commit-project.js';

/** Commits these paths, written or removed, and nothing else; no hook runs. What git ignores stays out. */
export async function commitPaths(
  root: string,
  paths: string[],
  message: string,
): Promise<Committed> {
  const ignored = await callGit(root, [...checkIgnore, '-z', '--stdin'], joined(paths));
  const left = new Set(ignored?.stdout.toString().split('\0'));
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
