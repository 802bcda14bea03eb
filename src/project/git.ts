import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './run.js';

// `git rev-parse --local-env-vars`: set by git for its hooks, they would lead these calls to another repository.
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

// Nothing of the machine may run during the commit or stop it to ask: hooks, a file system monitor, a signing key.
const settings = [
  ['core.hooksPath', '/dev/null'],
  ['core.fsmonitor', 'false'],
  ['commit.gpgSign', 'false'],
  ['init.defaultBranch', 'main'],
].flatMap(([key, value]) => ['-c', `${key}=${value}`]);

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

/** @returns what git printed; undefined if it failed */
export async function git(folder: string, ...args: string[]): Promise<string | undefined> {
  const kept = Object.entries(process.env).filter(([name]) => !inherited.includes(name));
  const env = { ...Object.fromEntries(kept), GIT_OPTIONAL_LOCKS: '0' };
  const { exitCode, output } = await run('git', [...settings, ...args], { cwd: folder, env });
  return exitCode === 0 ? output.trim() : undefined;
}
