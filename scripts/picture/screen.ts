import type { IBuffer, IBufferCell, IBufferLine } from '@xterm/headless';

/** Neighbouring cells of one look. */
export interface Run {
  column: number;
  text: string;
  /** Number in the 256-color palette; undefined for the terminal's own. */
  color: number | undefined;
  isBold: boolean;
  isDim: boolean;
  isInverse: boolean;
}

/** The lines of the screen down to the last one with text. */
export function lineRuns(buffer: IBuffer, columns: number): Run[][] {
  const lines: Run[][] = [];
  for (let row = 0; row < buffer.length; row++) {
    const line = buffer.getLine(row);
    lines.push(line ? runsOf(line, columns) : []);
  }
  const last = lines.findLastIndex((runs) => runs.length > 0);
  return lines.slice(0, last + 1);
}

function runsOf(line: IBufferLine, columns: number): Run[] {
  const runs: Run[] = [];
  for (let column = 0; column < columns; column++) {
    const cell = line.getCell(column);
    if (!cell || cell.getWidth() === 0) continue;
    const next = { column, text: cell.getChars() || ' ', ...lookOf(cell) };
    const last = runs.at(-1);
    if (last && isSameLook(last, next)) last.text += next.text;
    else runs.push(next);
  }
  return runs.map(withoutBlanks).filter(({ text }) => text !== '');
}

/** Blanks at both ends are seen only where they have a background. */
function withoutBlanks(run: Run): Run {
  if (run.isInverse) return run;
  const indent = run.text.length - run.text.trimStart().length;
  return { ...run, column: run.column + indent, text: run.text.trim() };
}

function lookOf(cell: IBufferCell) {
  return {
    color: cell.isFgPalette() ? cell.getFgColor() : undefined,
    isBold: cell.isBold() !== 0,
    isDim: cell.isDim() !== 0,
    isInverse: cell.isInverse() !== 0,
  };
}

function isSameLook(one: Run, other: Run): boolean {
  return (
    one.color === other.color &&
    one.isBold === other.isBold &&
    one.isDim === other.isDim &&
    one.isInverse === other.isInverse
  );
}
