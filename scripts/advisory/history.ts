import { execFileSync } from 'node:child_process';
import { relative } from 'node:path';
import { sha256Of } from '../../src/plan/manifest.js';
import { repositoryFolder } from '../matrix/child.js';

/** The hashes of all texts that a template had before a commit, sorted. @param since older texts are left out */
export function textsBefore(template: string, commit: string, since?: string): string[] {
  const range = since === undefined ? [`${commit}~1`] : [`${since}..${commit}~1`];
  const path = pathOf(template);
  const commits = git('log', '--format=%H', ...range, '--', path)
    .split('\n')
    .filter(Boolean);
  // A range begins with its oldest text.
  const states = [...commits, `${commit}~1`];
  return [...new Set(states.flatMap((state) => textAt(state, path)))].sort();
}

/** True if a commit changed a template that was there before. */
export function isChangedBy(template: string, commit: string): boolean {
  const options = ['--format=', '--name-only', '--diff-filter=M'];
  return git('show', ...options, commit, '--', pathOf(template)) !== '';
}

/** The lines that a commit removed from a template, without indentation; lines too short to identify anything are left out. */
export function removedLines(template: string, commit: string): string[] {
  const patch = git('show', '--format=', '--unified=0', commit, '--', pathOf(template));
  const removed = patch.split('\n').filter((line) => /^-(?!--)/.test(line));
  return [...new Set(removed.map((line) => line.slice(1).trim()))].filter((line) =>
    /\w{3}/.test(line),
  );
}

function textAt(commit: string, path: string): string[] {
  // A commit in which the file is not there has nothing to hash.
  const isThere = git('ls-tree', '--name-only', commit, '--', path) !== '';
  return isThere ? [sha256Of(git('show', `${commit}:${path}`))] : [];
}

function pathOf(template: string): string {
  return relative(repositoryFolder, template);
}

function git(...args: string[]): string {
  return execFileSync('git', args, { cwd: repositoryFolder, encoding: 'utf8' });
}
