import { UserError } from '../../errors.js';
import type { Conflict } from '../../upgrade/upgrade-plan.js';
import { callGit, git, gitItems } from './call-git.js';

/** The index entries of conflicts, as lines for `git update-index --index-info` that restore them. */
export async function indexOf(root: string, conflicts: Conflict[]): Promise<string[]> {
  // A file that is moved leaves its old path, in the index too.
  const paths = conflicts.flatMap(({ path, from }) => (from === undefined ? path : [path, from]));
  if (paths.length === 0) return [];
  const [entries, prefix] = await Promise.all([
    gitItems(root, 'ls-files', '--stage', '--full-name', '-z', '--', ...paths),
    git(root, 'rev-parse', '--show-prefix'),
  ]);
  if (!entries || prefix === undefined) return [];
  const none = await nothing(root);
  return [...paths.map((path) => `0 ${none}\t${prefix}${path}`), ...entries];
}

/**
 * Records conflicts in git's index as its own merge would: base, yours and theirs as stages 1, 2 and 3, so that
 * `git status`, `git mergetool` and editors show them.
 * @param before as `indexOf` tells it
 * @returns false if git could not: the markers are in the files anyway
 */
export async function stageConflicts(
  root: string,
  conflicts: Conflict[],
  before: string[],
): Promise<boolean> {
  const removals = before.filter((line) => line.startsWith('0 '));
  if (removals.length === 0) return false;
  const places = conflicts.map(({ path, from }) => from ?? path);
  const [prefix, lineEnds = []] = await Promise.all([
    git(root, 'rev-parse', '--show-prefix'),
    gitItems(root, 'ls-files', '--eol', '-z', '--', ...places),
  ]);
  const unixPaths = new Set(lineEnds.filter((line) => line.startsWith('i/lf')).map(pathOf));
  const stages = await Promise.all(
    conflicts.flatMap(({ path, from, base, yours, theirs, mode }) =>
      [base, yours, theirs].map(async (text, side) => {
        const stored = unixPaths.has(from ?? path) ? withUnixEnds(text) : text;
        const id = await storeBlob(root, stored);
        return id ? [`100${mode & 0o100 ? '755' : '644'} ${id} ${side + 1}\t${prefix}${path}`] : [];
      }),
    ),
  );
  return writeIndex(root, [...removals, ...stages.flat()]);
}

/**
 * Restores these index entries: only those whose paths are still marked as conflicts, or all.
 * @throws UserError if git cannot write its index
 */
export async function restoreIndex(
  root: string,
  before: string[],
  { onlyUnmerged }: { onlyUnmerged: boolean },
): Promise<void> {
  if (before.length === 0) return;
  const unmerged = await gitItems(root, 'ls-files', '--unmerged', '--full-name', '-z');
  // The repository is gone.
  if (!unmerged) return;
  const conflicts = new Set(unmerged.map(pathOf));
  const entries = onlyUnmerged ? before.filter((line) => conflicts.has(pathOf(line))) : before;
  if (await writeIndex(root, entries)) return;
  throw new UserError(
    "Git's index could not be written. Nothing was changed.",
    'If no other git is at work, delete the index.lock in .git. Then run the command again.',
  );
}

function pathOf(line: string): string {
  return line.slice(line.indexOf('\t') + 1);
}

async function writeIndex(root: string, entries: string[]): Promise<boolean> {
  if (entries.length === 0) return true;
  const input = entries.map((line) => `${line}\0`).join('');
  const answer = await callGit(root, ['update-index', '-z', '--index-info'], input);
  return answer?.exitCode === 0;
}

/** Git's null id, as long as the ids of this repository. */
async function nothing(root: string): Promise<string> {
  const format = await git(root, 'rev-parse', '--show-object-format');
  return '0'.repeat(format === 'sha256' ? 64 : 40);
}

/** With Windows line ends in stage 2, `git add` would store the whole resolved file with them. */
function withUnixEnds(text: Buffer): Buffer {
  return Buffer.from(text.toString('latin1').replaceAll('\r\n', '\n'), 'latin1');
}

/** Stores without filters: they would run programs that the repository names. */
async function storeBlob(root: string, text: Buffer): Promise<string | undefined> {
  const answer = await callGit(root, ['hash-object', '-w', '--no-filters', '--stdin'], text);
  return answer?.exitCode === 0 ? answer.stdout.toString().trim() : undefined;
}
