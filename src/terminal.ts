import { styleText } from 'node:util';
import type { Document, DocumentName } from './documents.js';

/** The flags about output. */
export interface OutputFlags {
  json?: boolean;
  quiet?: boolean;
  verbose?: boolean;
  /** False after `--no-color`. */
  color?: boolean;
  /** With `--dry-run`: stdout is for a patch. */
  diff?: boolean;
  /** False after `--no-pager`, which only `diff` takes. */
  pager?: boolean;
}

/** Where a command prints: for people, and with `--json` also for a program. */
export interface Terminal {
  /** True if questions can be asked and answered here. */
  isInteractive: boolean;
  /** The stream for people: stderr if stdout belongs to a program, or is a file for a patch. */
  output: NodeJS.WriteStream;
  isVerbose: boolean;
  /** True if stdout belongs to a program that reads the document. */
  isForPrograms: boolean;
  isQuiet: boolean;
  /** True if long texts are shown in a pager. */
  isPaged: boolean;
  /** A line for people, which `--quiet` drops. */
  say(line: string): void;
  /** A title with the lines below it; nothing if there are no lines. */
  sayList(title: string, lines: string[]): void;
  /** The command's result, printed with `--json` only. */
  document<Name extends DocumentName>(value: Document<Name>): void;
  paint(style: Parameters<typeof styleText>[0], text: string): string;
}

export function openTerminal(flags: OutputFlags): Terminal {
  // The prompts read it too, and so do programs started from here.
  if (flags.color === false) process.env.NO_COLOR = '1';
  // Node would let it win.
  if (process.env.NO_COLOR) delete process.env.FORCE_COLOR;
  const isTaken = flags.json || (flags.diff && !process.stdout.isTTY);
  const output = isTaken ? process.stderr : process.stdout;
  const hasColors = output.isTTY === true && !process.env.NO_COLOR && output.hasColors();
  const print = (line: string) => void output.write(`${line}\n`);
  const say = (line: string) => (flags.quiet ? undefined : print(line));
  const paint: Terminal['paint'] = (style, text) => (hasColors ? styleText(style, text) : text);
  return {
    // In this order: making the stdin stream takes 5 ms, and without a terminal for output no question is asked.
    isInteractive: output.isTTY === true && process.stdin.isTTY === true,
    output,
    isVerbose: flags.verbose === true,
    isForPrograms: flags.json === true,
    isQuiet: flags.quiet === true,
    isPaged: flags.pager !== false,
    say,
    sayList: (title, lines) => {
      if (lines.length === 0) return;
      say(`\n${title}`);
      for (const line of lines) say(`  ${paint('cyan', line)}`);
    },
    document: (value) =>
      flags.json ? void process.stdout.write(`${JSON.stringify(value, null, 2)}\n`) : undefined,
    paint,
  };
}
