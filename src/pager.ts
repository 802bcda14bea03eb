import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { uninterrupted } from './interrupt.js';
import type { Terminal } from './terminal.js';

/** `less` exits at once if everything fits on the screen, passes colors on and leaves the text on the screen. */
const lessOptions = 'FRX';

/** @returns false if the pager could not be started */
function showIn(pager: string, text: string): Promise<boolean> {
  return uninterrupted(async () => {
    const env = { ...process.env, LESS: process.env.LESS ?? lessOptions };
    // PAGER may have options of its own, so a shell runs it, as in git.
    const child = spawn(pager, { env, shell: true, stdio: ['pipe', 'inherit', 'inherit'] });
    // The pager may be left early: the broken pipe is no error.
    child.stdin.on('error', () => undefined);
    child.stdin.end(text);
    const [exitCode] = await once(child, 'close');
    return exitCode !== shellFoundNothing;
  }, ['SIGINT']);
}

// The exit code of a POSIX shell if there is no such program.
const shellFoundNothing = 127;

/**
 * Prints a patch with lines about it: on a terminal, both in `PAGER`, by default `less`; otherwise the patch on stdout,
 * for a file or another program, and the rest on stderr. On Windows, and with `PAGER=cat` or an empty one, there is no
 * pager.
 */
export async function printPatch(
  patch: string,
  lines: string[],
  terminal: Terminal,
): Promise<void> {
  if (terminal.isForPrograms) return;
  const { output } = terminal;
  if (!output.isTTY) {
    if (!terminal.isQuiet) for (const line of lines) process.stderr.write(`${line}\n`);
    output.write(patch);
    return;
  }
  const text = `${[...lines, ''].join('\n')}\n${paintedPatch(patch, terminal)}`;
  const pager = process.env.PAGER ?? (process.platform === 'win32' ? '' : 'less');
  const isPaged = terminal.isPaged && pager.trim() !== '' && pager !== 'cat';
  if (!isPaged || !(await showIn(pager, text))) output.write(text);
}

/** Prints a patch without a pager: on a terminal below what was said about it, otherwise alone on stdout. */
export function writePatch(patch: string, terminal: Terminal): void {
  process.stdout.write(process.stdout.isTTY ? `\n${paintedPatch(patch, terminal)}` : patch);
}

/** A patch in git's colors. */
function paintedPatch(patch: string, { paint }: Terminal): string {
  return patch
    .split('\n')
    .map((line) => {
      const style = styleOf(line);
      return style ? paint(style, line) : line;
    })
    .join('\n');
}

function styleOf(line: string): Parameters<Terminal['paint']>[0] | undefined {
  if (/^(diff --git|---|\+\+\+|(old|new|deleted|new file) mode) /.test(line)) return 'bold';
  if (line.startsWith('@@')) return 'cyan';
  if (line.startsWith('+')) return 'green';
  if (line.startsWith('-')) return 'red';
  return undefined;
}
