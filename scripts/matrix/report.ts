import { relative } from 'node:path';
import { repositoryFolder } from './child.js';
import type { CheckName, Outcome } from './run-combination.js';

/** One line for each combination and one column for each check, with seconds, and their sum; `✗` where it failed. */
export function table(outcomes: Outcome[], names: CheckName[]): string {
  const columns = ['emit', ...names];
  const rows = outcomes.map(({ combination, results }) => [
    combination.name,
    ...columns.map((column) => {
      const result = results.find(({ check }) => check === column);
      if (!result) return '-';
      return `${seconds(result.milliseconds)} ${result.problem ? '✗' : '✓'}`;
    }),
    seconds(timeOf(results)),
  ]);
  return aligned([['', ...columns, 'all'], ...rows]);
}

/** One line for each framework on each database, and their sum: how many passed, and the seconds that all took. */
export function summary(outcomes: Outcome[]): string {
  const groups = new Map<string, Outcome[]>();
  for (const outcome of outcomes) {
    const { framework, database } = outcome.combination;
    const name = `${framework} on ${database}`;
    groups.set(name, [...(groups.get(name) ?? []), outcome]);
  }
  const lines = [...groups].sort(([a], [b]) => a.localeCompare(b));
  const rows = [...lines, ['all', outcomes] as const].map(([name, group]) => [
    name,
    String(group.filter((outcome) => !hasFailed(outcome)).length),
    String(group.filter(hasFailed).length),
    seconds(group.reduce((sum, { results }) => sum + timeOf(results), 0)),
  ]);
  return aligned([['', 'passed', 'failed', 'seconds'], ...rows]);
}

function timeOf(results: Outcome['results']): number {
  return results.reduce((sum, { milliseconds }) => sum + milliseconds, 0);
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(1);
}

function aligned(all: string[][]): string {
  const widths = all[0]?.map((_, position) =>
    Math.max(...all.map((row) => row[position]?.length ?? 0)),
  );
  return all
    .map((row) =>
      row.map((cell, position) => padded(cell, widths?.[position], position)).join('  '),
    )
    .join('\n');
}

/** What is wrong with a combination and where it lies; empty if nothing is. */
export function complaint({ combination, folder, results }: Outcome): string {
  const problems = results.filter(({ problem }) => problem);
  if (problems.length === 0) return '';
  const kept = folder === '' ? '' : `kept in ${relative(repositoryFolder, folder)}\n`;
  const texts = problems.map(({ check, problem }) => `── ${check}\n${problem}`);
  return `${combination.name} ${kept}${texts.join('\n')}`;
}

export function hasFailed({ results }: Outcome): boolean {
  return results.some(({ problem }) => problem !== undefined);
}

function padded(text: string, width = 0, position: number): string {
  return position === 0 ? text.padEnd(width) : text.padStart(width);
}
