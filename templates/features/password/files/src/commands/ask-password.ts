import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';

/** All of standard input, without the line break at its end. */
export async function readPassword(): Promise<string> {
  return (await text(process.stdin)).replace(/\r?\n$/, '');
}

/** Asks twice at the terminal, without showing what is typed. Throws if there is none, or they differ. */
export async function askPassword(): Promise<string> {
  if (!process.stdin.isTTY) throw new Error('No terminal to ask at: use --password-stdin.');
  const password = await ask('Password: ');
  if (password !== (await ask('Again: '))) throw new Error('The two are not the same.');
  return password;
}

async function ask(question: string): Promise<string> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output: nowhere, terminal: true });
  process.stderr.write(question);
  try {
    return await terminal.question('', { signal: interruption(terminal) });
  } catch {
    throw new Error('Interrupted: nothing was changed.');
  } finally {
    terminal.close();
    process.stderr.write('\n');
  }
}

/** Ctrl-C and Ctrl-D end the question; readline by itself would wait for ever. */
function interruption(terminal: ReturnType<typeof createInterface>): AbortSignal {
  const controller = new AbortController();
  terminal.once('SIGINT', () => controller.abort());
  terminal.once('close', () => controller.abort());
  return controller.signal;
}
