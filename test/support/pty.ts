import { setTimeout as wait } from 'node:timers/promises';
import { spawn } from '@lydell/node-pty';
import headless from '@xterm/headless';
import { cleanEnv } from './cli.js';

export const keys = {
  enter: '\r',
  down: '\u001b[B',
  space: ' ',
  back: '\u001b[Z',
  interrupt: '\u0003',
  leave: '\u001b',
  end: '\u0004',
};

const standardColumns = 100;
const rows = 60;
const patience = 60_000;
const quietAfterExit = 250;

interface Setting {
  cwd: string;
  env?: Record<string, string>;
  columns?: number;
}

/** A user at a real terminal, who sees the screen as it is drawn, and types. */
export function openScreen(args: string[], { bin, ...setting }: Setting & { bin: string }) {
  return openProgram(process.execPath, [bin, ...args], setting);
}

/** The same with any program. */
export function openProgram(
  program: string,
  args: string[],
  { cwd, env = {}, columns = standardColumns }: Setting,
) {
  const screen = new headless.Terminal({ cols: columns, rows, allowProposedApi: true });
  const pty = spawn(program, args, {
    cols: columns,
    rows,
    cwd,
    env: { ...cleanEnv(), TERM: 'xterm-256color', ...env },
  });
  let raw = '';
  let lastData = Date.now();
  pty.onData((data) => {
    raw += data;
    lastData = Date.now();
    screen.write(data);
  });
  const exitCode = new Promise<number>((resolve) => {
    pty.onExit(async (exit) => {
      // The last output of the process may still be on its way when its end is reported.
      while (Date.now() - lastData < quietAfterExit) await wait(10);
      screen.write('', () => resolve(exit.exitCode));
    });
  });
  const text = () => {
    const { active } = screen.buffer;
    const lines = Array.from({ length: active.length }, (_, row) =>
      active.getLine(row)?.translateToString(true),
    );
    return lines.join('\n').trimEnd();
  };
  const until = async (condition: () => boolean, what: string) => {
    const end = Date.now() + patience;
    while (!condition()) {
      if (Date.now() > end) throw new Error(`${what} never came:\n${text()}`);
      await wait(10);
    }
  };
  return {
    exitCode,
    /** The emulated terminal, with its colors. */
    terminal: screen,
    text,
    until,
    /** Waits until nothing more is drawn. */
    quiet: () => until(() => Date.now() - lastData > quietAfterExit, 'silence'),
    write: (keysPressed: string) => pty.write(keysPressed),
    kill: (signal: NodeJS.Signals) => pty.kill(signal),
    /** Everything sent to the terminal, escape sequences included. */
    raw: () => raw,
    /** Types once the screen shows a text. */
    async type(when: string, ...typed: string[]) {
      await until(() => text().includes(when), when);
      for (const key of typed) {
        pty.write(key);
        await wait(30);
      }
    },
  };
}
