import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { lendTerminal } from './interrupt.js';

/** Ends at once if all fits on the screen, passes colors on, leaves the text on the screen. */
const lessOptions = 'FRX';

/**
 * Shows a long text in `PAGER`, by default `less`; on Windows, and with `PAGER=cat` or an empty one, prints it.
 * Only for a terminal.
 */
export async function page(text: string, output: NodeJS.WriteStream): Promise<void> {
  const pager = process.env.PAGER ?? (process.platform === 'win32' ? '' : 'less');
  const isShown = pager.trim() !== '' && pager !== 'cat' && (await showIn(pager, text));
  if (!isShown) output.write(text);
}

/** @returns false if the pager could not be started */
function showIn(pager: string, text: string): Promise<boolean> {
  return lendTerminal(async () => {
    const env = { ...process.env, LESS: process.env.LESS ?? lessOptions };
    // PAGER may have options of its own, so it is a shell's to read, as git does it.
    const child = spawn(pager, { env, shell: true, stdio: ['pipe', 'inherit', 'inherit'] });
    // Whoever leaves the pager early reads no further.
    child.stdin.on('error', () => undefined);
    child.stdin.end(text);
    const [exitCode] = await once(child, 'close');
    return exitCode !== shellFoundNothing;
  });
}

// What a POSIX shell ends with if there is no such program.
const shellFoundNothing = 127;
