import { spawn } from '@lydell/node-pty';
import xterm from '@xterm/headless';
import { lineRuns, type Run } from './screen.js';

/** A program to be run on a terminal. */
export interface Session {
  /** The command line that the picture shows. */
  shown: string;
  command: [file: string, ...arguments_: string[]];
  folder: string;
  /** Texts of the questions in their order; Enter answers each. */
  questions: string[];
}

const columns = 92;
// Enough for a whole session: nothing scrolls away.
const rows = 80;
const questionSeconds = 20;
const enter = '\r';

/**
 * Runs the program on a pseudo-terminal and answers its questions.
 * @returns what is on the screen at the end, line by line
 * @throws Error if a question does not come within 20 seconds, or the program fails
 */
export async function screenAfter({
  shown,
  command,
  folder,
  questions,
}: Session): Promise<Run[][]> {
  const terminal = new xterm.Terminal({ cols: columns, rows, allowProposedApi: true });
  const [file, ...arguments_] = command;
  const write = (text: string) => new Promise<void>((done) => terminal.write(text, done));
  await write(`\u001b[32m$\u001b[0m ${shown}\r\n`);
  const child = spawn(file, arguments_, { cols: columns, rows, cwd: folder, env: environment() });
  let printed = '';
  child.onData((text) => {
    printed += text;
    terminal.write(text);
  });
  const ended = new Promise<number>((done) => child.onExit(({ exitCode }) => done(exitCode)));
  for (const question of questions) {
    await untilPrinted(() => printed.includes(question), question);
    child.write(enter);
  }
  const exitCode = await ended;
  if (exitCode !== 0) throw new Error(`exit code ${exitCode}:\n${printed}`);
  await write('');
  return lineRuns(terminal.buffer.active, columns);
}

async function untilPrinted(isPrinted: () => boolean, question: string): Promise<void> {
  const deadline = Date.now() + questionSeconds * 1000;
  while (!isPrinted()) {
    if (Date.now() > deadline) throw new Error(`nobody asks: ${question}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  // The question is drawn before its keys are listened to.
  await new Promise((resolve) => setTimeout(resolve, 200));
}

/** The environment of somebody at a terminal; git is given a name, so that it can commit on any machine. */
function environment(): Record<string, string> {
  const dropped = /^(CI|NO_COLOR|FORCE_COLOR|GIT_.*|npm_config_user_agent)$/;
  const kept = Object.entries(process.env).flatMap(([name, value]) =>
    value === undefined || dropped.test(name) ? [] : [[name, value] as const],
  );
  return {
    ...Object.fromEntries(kept),
    TERM: 'xterm-256color',
    GIT_AUTHOR_NAME: 'Ada',
    GIT_AUTHOR_EMAIL: 'ada@example.com',
    GIT_COMMITTER_NAME: 'Ada',
    GIT_COMMITTER_EMAIL: 'ada@example.com',
    npm_config_prefer_offline: 'true',
  };
}
