import { callGit } from './call-git.js';

/**
 * Reads texts from the repository that the folder is in.
 * @param ids blob ids of SHA-1 repositories; other repositories do not have them
 * @returns the texts that it has, by id; none without git or a repository
 */
export async function readBlobs(root: string, ids: string[]): Promise<Map<string, Buffer>> {
  const blobs = new Map<string, Buffer>();
  if (ids.length === 0) return blobs;
  const answer = await callGit(root, ['cat-file', '--batch'], `${ids.join('\n')}\n`);
  if (answer?.exitCode !== 0) return blobs;
  const { stdout } = answer;
  for (let at = 0; at < stdout.length; ) {
    const end = stdout.indexOf('\n', at);
    // Git prints either `<id> <type> <size>` and the text, or `<id> missing`.
    const [id = '', type, size] = stdout.subarray(at, end).toString().split(' ');
    at = end + 1;
    if (size === undefined) continue;
    const text = stdout.subarray(at, at + Number(size));
    if (type === 'blob') blobs.set(id, text);
    at += text.length + 1;
  }
  return blobs;
}
