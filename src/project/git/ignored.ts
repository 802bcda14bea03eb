import { callGit } from './call-git.js';

/** Those of these paths that git ignores; none without git or a repository. Tracked files are never ignored. */
export async function ignoredOf(root: string, paths: string[]): Promise<Set<string>> {
  if (paths.length === 0) return new Set();
  const input = paths.map((path) => `${path}\0`).join('');
  // The only command that refuses literal pathspecs.
  const args = ['--no-literal-pathspecs', 'check-ignore', '-z', '--stdin'];
  const answer = await callGit(root, args, input);
  return new Set(answer?.stdout.toString().split('\0').filter(Boolean));
}
