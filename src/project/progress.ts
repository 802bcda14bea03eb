import type { Terminal } from '../terminal.js';

const frames = ['◒', '◐', '◓', '◑'];
const frameMilliseconds = 100;

/**
 * Shows that long work is going on. On a terminal the line is animated; elsewhere it is printed once.
 * The prompts' own spinner would put the terminal into raw mode, where Ctrl-C sends no signal.
 */
export async function withProgress<Result>(
  { output, isQuiet, isVerbose, say }: Terminal,
  message: string,
  work: () => Promise<Result>,
): Promise<Result> {
  if (!output.isTTY || isQuiet || isVerbose) {
    say(`${message} …`);
    return work();
  }
  let tick = 0;
  const draw = () => output.write(`\r${frames[tick++ % frames.length]} ${message} …`);
  const timer = setInterval(draw, frameMilliseconds);
  draw();
  try {
    return await work();
  } finally {
    clearInterval(timer);
    output.write('\r\u001b[2K');
  }
}
