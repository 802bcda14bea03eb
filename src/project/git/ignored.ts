import { callGit } from './call-git.js';

/** Which of these paths git ignores; none without git or a repository. What git tracks it does not ignore. */
export async function ignoredOf(root: string, paths: string[]): Promise<Set<string>> {
  if (paths.length === 0) return new Set();
  const input = paths.map((path) => `${path}\0`).join('');
  // The only command that refuses to take paths as mere names.
  const args = ['--no-literal-pathspecs', 'check-ignore', '-z', '--stdin'];
  const answer = await callGit(root, args, input);
  return new Set(answer?.stdout.toString().split('\0').filter(Boolean));
}
