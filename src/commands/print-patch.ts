import { page } from '../pager.js';
import type { Terminal } from '../terminal.js';
import { paintedPatch } from './painted-patch.js';

/**
 * Prints a patch with lines about it: on a terminal both in the pager, else the patch on stdout, for a file or another
 * program, and the rest on stderr.
 */
export async function printPatch(
  patch: string,
  lines: string[],
  terminal: Terminal,
  { isPaged }: { isPaged: boolean },
): Promise<void> {
  if (terminal.isForPrograms) return;
  const { output } = terminal;
  if (!output.isTTY) {
    if (!terminal.isQuiet) for (const line of lines) process.stderr.write(`${line}\n`);
    output.write(patch);
    return;
  }
  const text = `${[...lines, ''].join('\n')}\n${paintedPatch(patch, terminal)}`;
  if (isPaged) await page(text, output);
  else output.write(text);
}
