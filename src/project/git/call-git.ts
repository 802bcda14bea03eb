import { type Ended, run } from '../run.js';

// From `git rev-parse --local-env-vars`. Git sets them for its hooks; they would direct these calls to another
// repository.
const inherited = [
  'GIT_ALTERNATE_OBJECT_DIRECTORIES',
  'GIT_COMMON_DIR',
  'GIT_CONFIG',
  'GIT_CONFIG_COUNT',
  'GIT_CONFIG_PARAMETERS',
  'GIT_DIR',
  'GIT_GRAFT_FILE',
  'GIT_IMPLICIT_WORK_TREE',
  'GIT_INDEX_FILE',
  'GIT_NO_REPLACE_OBJECTS',
  'GIT_OBJECT_DIRECTORY',
  'GIT_PREFIX',
  'GIT_REPLACE_REF_BASE',
  'GIT_SHALLOW_FILE',
  'GIT_WORK_TREE',
];

// Nothing configured on the machine may run during a commit or interrupt it: hooks, file system monitor, signing key,
// the refusal to convert line ends.
const settings = [
  ['core.hooksPath', '/dev/null'],
  ['core.fsmonitor', 'false'],
  ['core.safecrlf', 'false'],
  ['log.showSignature', 'false'],
  // A clone may contain the folders of a repository without a work tree, with settings of its own.
  ['safe.bareRepository', 'explicit'],
  ['commit.gpgSign', 'false'],
  ['init.defaultBranch', 'main'],
].flatMap(([key, value]) => ['-c', `${key}=${value}`]);

const environment = {
  ...Object.fromEntries(inherited.map((name) => [name, undefined])),
  GIT_OPTIONAL_LOCKS: '0',
  // Paths are names here, not patterns.
  GIT_LITERAL_PATHSPECS: '1',
  // A partial clone would fetch what it lacks.
  GIT_NO_LAZY_FETCH: '1',
  // Git's messages are parsed here.
  LC_ALL: 'C',
};

/**
 * Runs git in a folder. It runs nothing that the repository brings, and fetches nothing.
 * @param input passed on stdin; empty by default
 * @returns undefined if git is not installed
 */
export async function callGit(
  folder: string,
  args: string[],
  input: string | Buffer = '',
): Promise<Ended | undefined> {
  const options = { cwd: folder, env: environment, input };
  const ended = await run('git', [...settings, ...args], options);
  return ended.exitCode === undefined ? undefined : ended;
}

/** @returns what git printed; undefined if it failed or is not installed */
export async function git(folder: string, ...args: string[]): Promise<string | undefined> {
  const answer = await callGit(folder, args);
  return answer?.exitCode === 0 ? answer.stdout.toString().trim() : undefined;
}

/** @returns what git printed with `-z`, item by item; undefined if it failed or is not installed */
export async function gitItems(folder: string, ...args: string[]): Promise<string[] | undefined> {
  const answer = await callGit(folder, args);
  return answer?.exitCode === 0 ? itemsIn(answer) : undefined;
}

/** What git printed with `-z`, item by item. */
export function itemsIn({ stdout }: Ended): string[] {
  return stdout.toString().split('\0').filter(Boolean);
}

/** Why git failed: its first line. */
export function reasonIn(answer: Ended | undefined): string {
  const lines = answer?.stderr.split('\n') ?? [];
  const [line = 'no reason given'] = lines.filter((each) => each.trim() !== '');
  return line.replace(/^(fatal|error): /, '');
}

/**
 * The paths that git ignores, each with the file that says so; none without git or a repository. No tracked file is
 * ignored.
 */
export async function ignoredOf(root: string, paths: string[]): Promise<Map<string, string>> {
  if (paths.length === 0) return new Map();
  // The only command that refuses literal pathspecs.
  const args = ['--no-literal-pathspecs', 'check-ignore', '--verbose', '-z', '--stdin'];
  const answer = await callGit(root, args, nulTerminated(paths));
  const printed = answer?.stdout.toString().split('\0') ?? [];
  const found = new Map<string, string>();
  // Four fields for each path; a pattern that begins with "!" takes it back in.
  for (let at = 0; at + 3 < printed.length; at += 4) {
    const [source = '', , pattern = '', path = ''] = printed.slice(at, at + 4);
    if (!pattern.startsWith('!')) found.set(path, source);
  }
  return found;
}

/** Paths as git reads them with `-z` and from a `--pathspec-from-file`. */
export function nulTerminated(paths: string[]): string {
  return paths.map((path) => `${path}\0`).join('');
}

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
