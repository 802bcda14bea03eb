import { styleText } from 'node:util';
import type { Document, DocumentName } from './documents.js';

/** What every command takes about its output. */
export interface OutputFlags {
  json?: boolean;
  quiet?: boolean;
  verbose?: boolean;
  /** False after `--no-color`. */
  color?: boolean;
}

/** Where a command speaks: to people, and with `--json` to a program as well. */
export interface Terminal {
  /** True if questions can be asked and answered here. */
  isInteractive: boolean;
  /** Where people read: stderr if stdout belongs to a program. */
  output: NodeJS.WriteStream;
  isVerbose: boolean;
  /** True if stdout belongs to a program that reads the document. */
  isForPrograms: boolean;
  isQuiet: boolean;
  /** A line for people, which `--quiet` drops. */
  say(line: string): void;
  /** A title with a line each below it; nothing if there are none. */
  sayList(title: string, lines: string[]): void;
  /** The command's result, printed with `--json` only. */
  document<Name extends DocumentName>(value: Document<Name>): void;
  paint(style: Parameters<typeof styleText>[0], text: string): string;
}

export function openTerminal(flags: OutputFlags): Terminal {
  // Read by the prompts too, and by what is started from here.
  if (flags.color === false) process.env.NO_COLOR = '1';
  const output = flags.json ? process.stderr : process.stdout;
  const hasColors = output.isTTY === true && !process.env.NO_COLOR && output.hasColors();
  const print = (line: string) => void output.write(`${line}\n`);
  const say = (line: string) => (flags.quiet ? undefined : print(line));
  const paint: Terminal['paint'] = (style, text) => (hasColors ? styleText(style, text) : text);
  return {
    // In this order: to make the stream takes 5 ms, and where nobody reads nobody is asked.
    isInteractive: output.isTTY === true && process.stdin.isTTY === true,
    output,
    isVerbose: flags.verbose === true,
    isForPrograms: flags.json === true,
    isQuiet: flags.quiet === true,
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
