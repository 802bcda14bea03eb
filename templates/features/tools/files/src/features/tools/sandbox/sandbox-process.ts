import { z } from 'zod';
import { type Launch, launchProcess } from './launch.js';

/** A line longer than this is no message of ours. */
const LONGEST_LINE = 4 << 20;

const Line = z.union([
  z.literal('ready'),
  z.object({ run: z.number(), said: z.string() }),
  z.object({ run: z.number(), idle: z.literal(true) }),
]);

export type SandboxLine = z.infer<typeof Line>;

/** A process that scripts run in. */
export interface SandboxProcess {
  send(message: object): void;
  /** Who is told of what it says; undefined: nobody listens. */
  listener: ((line: SandboxLine) => void) | undefined;
  /** Resolves once it is gone, for whatever reason. */
  ended: Promise<void>;
  hasEnded(): boolean;
  kill(): void;
}

/** Starts a process. A line that is none of the protocol's ends it. */
export function startSandboxProcess(launch: Launch): SandboxProcess {
  const child = launchProcess(launch);
  let unread = '';
  let isGone = false;
  const ended = new Promise<void>((resolve) => {
    const end = () => {
      isGone = true;
      resolve();
    };
    child.once('error', end);
    child.once('exit', end);
  });

  const sandbox: SandboxProcess = {
    listener: undefined,
    ended,
    hasEnded: () => isGone,
    send(message) {
      if (!isGone) child.stdin.write(`${JSON.stringify(message)}\n`);
    },
    kill() {
      if (isGone || child.pid === undefined) return;
      try {
        // The whole group; on Windows there is none.
        process.kill(process.platform === 'win32' ? child.pid : -child.pid, 'SIGKILL');
      } catch {
        child.kill('SIGKILL');
      }
    },
  };

  function take(line: string): void {
    const parsed = parseLine(line);
    if (parsed === undefined) sandbox.kill();
    else sandbox.listener?.(parsed);
  }

  // It may die while we write to it.
  child.stdin.on('error', () => sandbox.kill());
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    unread += chunk;
    if (unread.length > LONGEST_LINE) sandbox.kill();
    const lines = unread.split('\n');
    unread = lines.pop() ?? '';
    for (const line of lines) take(line);
  });
  return sandbox;
}

function parseLine(line: string): SandboxLine | undefined {
  try {
    return Line.parse(JSON.parse(line));
  } catch {
    return undefined;
  }
}
