import { execFileSync } from 'node:child_process';
import { cleanEnv } from './cli.js';

const somebody = ['-c', 'user.name=Me', '-c', 'user.email=me@example.com'];

/** Runs git as a person would. @returns what it prints */
export function git(folder: string, ...args: string[]): string {
  const options = { cwd: folder, encoding: 'utf8', env: cleanEnv() } as const;
  return execFileSync('git', [...somebody, ...args], options).trimEnd();
}

/** Makes a folder a repository with everything committed. */
export function commitAll(folder: string): void {
  git(folder, 'init', '--quiet', '--initial-branch', 'main');
  // For the commits that the command itself makes.
  git(folder, 'config', 'user.name', 'Me');
  git(folder, 'config', 'user.email', 'me@example.com');
  git(folder, 'add', '--all');
  git(folder, 'commit', '--quiet', '--message', 'all');
}

/** Applies a patch with git, in a repository or elsewhere. */
export function applyPatch(folder: string, input: string): void {
  execFileSync('git', ['apply'], { cwd: folder, input, env: cleanEnv() });
}
