/** One line of the table. */
export interface Row extends Judged {
  measure: string;
  ours?: string;
  against?: string;
}

/** A result, and whether it meets its goal. */
interface Judged {
  result: string;
  goal: string;
  isMet: boolean;
}

/** A figure that must not be above its goal. */
export function atMost(goal: number, value: number, shown: (figure: number) => string): Judged {
  return { result: shown(value), goal: `≤ ${shown(goal)}`, isMet: value <= goal };
}

/** A figure that must not be below its goal. */
export function atLeast(goal: number, value: number, shown: (figure: number) => string): Judged {
  return { result: shown(value), goal: `≥ ${shown(goal)}`, isMet: value >= goal };
}

const HEADINGS = ['', 'ours', 'against', 'result', 'goal', ''];

/** Prints all rows as one Markdown table, with aligned columns. */
export function printTable(rows: Row[]): void {
  const cells = [
    HEADINGS,
    ...rows.map(({ measure, ours = '', against = '', result, goal, isMet }) => [
      ...[measure, ours, against, result, goal],
      isMet ? 'met' : 'MISSED',
    ]),
  ];
  const widths = HEADINGS.map((_, column) =>
    Math.max(...cells.map((line) => line[column]?.length ?? 0)),
  );
  const lines = cells.map((line) => line.map((cell, column) => cell.padEnd(widths[column] ?? 0)));
  const rule = widths.map((width) => '-'.repeat(width));
  for (const line of [lines[0] ?? [], rule, ...lines.slice(1)]) {
    process.stdout.write(`| ${line.join(' | ')} |\n`);
  }
}

export function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

export function timesOf(ratio: number): string {
  return `${ratio.toFixed(2)} ×`;
}

export function microseconds(value: number): string {
  return `${value.toFixed(1)} µs`;
}

export function milliseconds(value: number): string {
  return `${value.toFixed(value < 10 ? 2 : 0)} ms`;
}

export function mebibytes(bytes: number): string {
  return `${(bytes / 2 ** 20).toFixed(1)} MiB`;
}

/** The median, which a disturbed run cannot move. */
export function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const [low, high] = [Math.ceil(sorted.length / 2) - 1, Math.floor(sorted.length / 2)];
  return ((sorted[low] ?? Number.NaN) + (sorted[high] ?? Number.NaN)) / 2;
}
