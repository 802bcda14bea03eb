import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { repositoryFolder } from '../matrix/child.js';
import { unpackRelease } from '../release/package-archive.js';

/** A command as it is typed, and what it printed. */
export interface Shown {
  typed: string;
  printed: string;
}

const release = '0.1.0';
const present = join(repositoryFolder, 'bin/create-auth-service.js');
const choices = ['--methods', 'password', '--features', 'registration,roles'];

/** What the team has changed since; the template has changed the first of these lines, too. */
const edits = [
  { path: 'src/http/redirect.ts', from: 'status: 302', to: 'status: 303' },
  { path: 'package.json', from: '"validate":', to: '"deploy": "./deploy.sh",\n    "validate":' },
];

/** How the team decides: its status, the template's name of the header. */
const decision = '  return { status: 303, headers: { location: url } };\n';

/**
 * Makes a project with the first release, edits and commits it, upgrades it to this version, resolves what conflicts and
 * continues. @throws Error if a step ends otherwise than expected
 */
export async function upgradeSession(folder: string): Promise<Shown[]> {
  const old = unpackRelease(release, join(folder, 'released'));
  await node(folder, 0, old, 'my-auth', '--yes', '--no-install', '--no-git', ...choices);
  const project = join(folder, 'my-auth');
  for (const { path, from, to } of edits) change(join(project, path), from, to);
  await git(project, 'init', '--quiet');
  await git(project, 'add', '--all');
  await git(project, 'commit', '--quiet', '--message', 'Redirect with 303, deploy');

  const conflicted = join(project, 'src/http/redirect.ts');
  const upgraded = await node(project, 2, present, 'upgrade');
  const status = await git(project, 'status', '--short', '--', 'src/http/redirect.ts');
  const marked = readFileSync(conflicted, 'utf8');
  writeFileSync(conflicted, marked.replace(/^<{7}[\s\S]*^>{7}.*\n/m, decision));
  const continued = await node(project, 0, present, 'upgrade', '--continue');
  const both = await git(project, 'diff', '--unified=0', '--', 'src/http/redirect.ts');
  return [
    { typed: 'npx create-auth-service@latest upgrade', printed: upgraded },
    { typed: 'git status --short src/http/redirect.ts', printed: status },
    { typed: 'tail -n 9 src/http/redirect.ts', printed: lastLines(marked, 9) },
    { typed: 'vi src/http/redirect.ts', printed: '' },
    { typed: 'npx create-auth-service@latest upgrade --continue', printed: continued },
    { typed: 'git diff -U0 src/http/redirect.ts | tail -n 2', printed: lastLines(both, 2) },
  ];
}

function change(path: string, from: string, to: string): void {
  const text = readFileSync(path, 'utf8');
  if (!text.includes(from)) throw new Error(`${path} has no ${from}`);
  writeFileSync(path, text.replace(from, to));
}

function lastLines(text: string, count: number): string {
  return text.trimEnd().split('\n').slice(-count).join('\n');
}

async function node(cwd: string, expected: number, ...args: string[]): Promise<string> {
  const { exitCode, stdout, stderr } = await execa(process.execPath, args, { cwd, reject: false });
  if (exitCode !== expected) throw new Error(`${args.join(' ')}: ${exitCode}\n${stdout}${stderr}`);
  return stdout;
}

async function git(cwd: string, ...args: string[]): Promise<string> {
  const somebody = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com'];
  const { stdout } = await execa('git', [...somebody, ...args], { cwd, stripFinalNewline: false });
  return stdout;
}
