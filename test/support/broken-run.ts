import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const preload = pathToFileURL(join(import.meta.dirname, 'break-at.mjs')).href;

/**
 * What happens at a call that changes the disk: SIGKILL in the middle of it, a single error, a disk that stays full, a
 * signal, or that it and all after it take 300 ms.
 */
export type Break =
  | ('kill' | 'interrupt' | 'terminate' | 'hangUp' | 'stop')
  | ('fail' | 'full' | 'slow');

/** An environment in which the command fails at the n-th such call, counted from 1; at 0 while it plans. */
export function breakingAt(call: number, how: Break): Record<string, string> {
  return { NODE_OPTIONS: `--import ${preload}`, BREAK_AT: String(call), BREAK_HOW: how };
}

/** The same in an environment that looks like another container or machine. */
export function breakingElsewhere(call: number, how: Break): Record<string, string> {
  return { ...breakingAt(call, how), BREAK_HOST: 'elsewhere' };
}

/** The names of such calls in order, when nothing fails. */
export async function callsOf(
  run: (env: Record<string, string>) => Promise<unknown>,
): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'create-auth-service-calls-'));
  const log = join(folder, 'calls');
  await run({ NODE_OPTIONS: `--import ${preload}`, BREAK_LOG: log });
  const lines = readFileSync(log, 'utf8').trimEnd().split('\n');
  rmSync(folder, { recursive: true });
  return lines.map((line) => line.split(' ')[0] ?? '');
}

/** True once a process that was told to stop has done so. Known on Linux and macOS. */
export function isStopped(pid: number | undefined): boolean {
  return /^T/.test(execFileSync('ps', ['-o', 'state=', '-p', String(pid)], { encoding: 'utf8' }));
}
