import { UserError } from '../errors.js';
import { packPath } from '../plan/base-pack.js';
import { manifestPath, recordFolder } from '../plan/manifest.js';
import { git, ignoredOf } from '../project/git/call-git.js';
import {
  leftOut,
  type RepositoryState,
  readRepository,
  wholeCheckout,
} from '../project/git/repository.js';
import type { Project } from '../project/open-project.js';
import { readAnyFile } from '../project/read-file.js';
import type { Examined } from './check-project.js';
import { type DotEnv, secretsIn } from './dot-env.js';
import { type Finding, findingsOrOk, note, problem, shown } from './finding.js';

const draw = 'Generate new ones: everybody who can read the repository has these.';
const rotate = `${draw} Then: git rm --cached .env`;

const commit = 'git add --all && git commit';
const noRepository = note(
  'git',
  'This is not a git repository: git cannot undo an upgrade.',
  `git init && ${commit}`,
);
const notInGit = note(
  'git',
  'Nothing of this project is in git: git cannot undo an upgrade.',
  `${commit}; where a repository around it ignores it, git init comes first.`,
);
const noGit = note(
  'git',
  'git is not installed: what it tracks and ignores was not checked.',
  'Install git.',
);

/** What must be in the repository, and what must never be in it. */
export async function checkGit(examined: Examined): Promise<Finding[]> {
  try {
    const repository = await readRepository(examined.project.root);
    if (repository) return await repositoryFindings(examined, repository);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return [problem('git', error.message, error.hint ?? 'git status')];
  }
  return [(await git(examined.project.root, '--version')) ? noRepository : noGit];
}

async function repositoryFindings(
  { project, dotEnv }: Examined,
  repository: RepositoryState,
): Promise<Finding[]> {
  const { root } = project;
  const tracked = [...repository.tracked];
  const findings = [
    ...conflictFindings(project, repository),
    ...(await envFindings(root, dotEnv)),
    ...secretFindings(root, tracked, dotEnv),
    ...(await recordFindings(root, tracked)),
    ...(await sparseFindings(project)),
  ];
  return findingsOrOk(findings, 'git', 'It ignores .env and contains the record.');
}

/** Those of git itself: the record says which ones an upgrade has left. */
function conflictFindings(
  { manifest: { pending } }: Project,
  { unmerged }: RepositoryState,
): Finding[] {
  const paths = unmerged.filter((path) => !pending.includes(path));
  if (paths.length === 0) return [];
  const message = `git has conflicts that are not resolved: ${shown(paths)}`;
  return [problem('git', message, 'Resolve them, then: git add <file>, and commit.')];
}

async function envFindings(root: string, dotEnv: DotEnv): Promise<Finding[]> {
  const tracked = await git(root, 'ls-files', '--', '.env');
  if (tracked) return [problem('git', '.env is committed, or about to be.', rotate)];
  const untracked = await git(root, 'ls-files', '--others', '--exclude-standard', '--', '.env');
  return [
    ...(await pastFindings(root, dotEnv)),
    ...(untracked
      ? [problem('git', '.env is not ignored by git.', 'echo .env >> .gitignore')]
      : []),
  ];
}

/** Nothing takes a committed `.env` out of every clone: what counts is whether its secrets are still used. */
async function pastFindings(root: string, dotEnv: DotEnv): Promise<Finding[]> {
  const options = ['--all', '--diff-filter=AM', '--patch', '--no-ext-diff', '--no-textconv'];
  const past = await git(root, 'log', ...options, '--format=%h', '--', '.env');
  if (!past) return [];
  const message = `.env was committed in the past (${past.split('\n')[0]})`;
  const used = secretsOf(dotEnv).filter(({ value }) => past.includes(value));
  if (used.length === 0) {
    const remedy = 'Revoke all other credentials that it had.';
    return [note('git', `${message}: use none of its secrets again.`, remedy)];
  }
  const names = [...new Set(used.map(({ name }) => name))];
  return [problem('git', `${message}, and its secrets are still used: ${names.join(', ')}`, draw)];
}

async function sparseFindings(project: Project): Promise<Finding[]> {
  const { length } = await leftOut(project);
  if (length === 0) return [];
  return [note('git', `${length} emitted files are not in this sparse checkout.`, wholeCheckout)];
}

/** Before the first commit of the project nothing is missing. */
async function recordFindings(root: string, tracked: string[]): Promise<Finding[]> {
  const missing = [manifestPath, packPath].filter((path) => !tracked.includes(path));
  if (tracked.length === 0) return [notInGit];
  if (missing.length === 0) return [];
  const ignored = await ignoredOf(root, missing);
  const what = missing.length > 1 ? `${recordFolder}/` : missing.join('');
  const state = ignored.size > 0 ? 'ignored by git' : 'not in git';
  const message = `${what} is ${state}: a clone of this project cannot be upgraded.`;
  return [problem('git', message, `git add --force ${missing.join(' ')}, and commit.`)];
}

// A longer file is not a text that somebody wrote a secret into.
const longestFile = 1_000_000;
const shortestSecret = 16;

/** One for each secret of a rotation. */
function secretsOf({ values = {}, variables }: DotEnv): { name: string; value: string }[] {
  return variables
    .filter(({ isSecret }) => isSecret)
    .flatMap(({ name }) => secretsIn(values[name]).map((value) => ({ name, value })))
    .filter(({ value }) => value.length >= shortestSecret);
}

/** Which secrets of `.env` are in files that git tracks: `SECRET in compose.yaml`. No value is shown. */
function secretFindings(root: string, tracked: string[], dotEnv: DotEnv): Finding[] {
  const secrets = secretsOf(dotEnv);
  if (secrets.length === 0) return [];
  const places = tracked.flatMap((path) => {
    const content = readAnyFile(root, path, longestFile)?.content;
    return secrets
      .filter(({ value }) => content?.includes(value))
      .map(({ name }) => `${name} in ${path}`);
  });
  if (places.length === 0) return [];
  const message = `Secrets of .env are in files that git tracks: ${places.join(', ')}`;
  return [problem('git', message, draw)];
}
