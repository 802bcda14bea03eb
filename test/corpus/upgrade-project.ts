import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Ended, runCli } from '../support/cli.js';

/** What the command reported about an upgrade. */
export interface Upgraded {
  exitCode: number | null;
  /** Path → what became of the file. */
  outcomes: Record<string, string>;
  pending: string[];
  /** How many files were written, the record included. */
  written: number;
}

/** Upgrades a project without git. @throws Error if the command refuses */
export async function upgradeProject(root: string, bin: string): Promise<Upgraded> {
  const ended = await runIn(root, bin, ['upgrade', '--json']);
  const { files, pending, written } = documentOf(ended) as {
    files: { path: string; outcome: string }[];
    pending: string[];
    written: number;
  };
  const outcomes = Object.fromEntries(files.map(({ path, outcome }) => [path, outcome]));
  return { exitCode: ended.exitCode, outcomes, pending, written };
}

/**
 * Resolves pending files, and continues the upgrade.
 * @param paths in favor of which side
 * @throws Error if something is still pending
 */
export async function decideAll(
  root: string,
  bin: string,
  paths: { yours: string[]; theirs: string[] },
): Promise<void> {
  for (const path of paths.yours) decide(join(root, path), 'yours');
  for (const path of paths.theirs) decide(join(root, path), 'theirs');
  const ended = await runIn(root, bin, ['upgrade', '--continue']);
  if (ended.exitCode !== 0) throw new Error(ended.stdout + ended.stderr);
}

const conflict = /<{7} yours\n(.*?)\|{7} .*?={7}\n(.*?)>{7} create-auth-service \S+\n/gs;

/** Takes one side of every conflict in a file. */
export function decide(file: string, side: 'yours' | 'theirs'): void {
  const beside = `${file}.template`;
  if (existsSync(beside)) {
    if (side === 'theirs') writeFileSync(file, readFileSync(beside));
    rmSync(beside);
  }
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, text.replace(conflict, side === 'yours' ? '$1' : '$2'));
}

/** Keeps git from finding the repository that the tests run in. */
function runIn(root: string, bin: string, args: string[]): Promise<Ended> {
  return runCli(args, { cwd: root, bin, env: { GIT_CEILING_DIRECTORIES: dirname(root) } });
}

function documentOf({ stdout, stderr }: Ended): unknown {
  try {
    return JSON.parse(stdout);
  } catch {
    throw new Error(stdout + stderr);
  }
}
