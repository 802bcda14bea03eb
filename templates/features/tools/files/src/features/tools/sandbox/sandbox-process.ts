import { z } from 'zod';
import { type Launch, launchProcess } from './launch.js';

/** Characters; a longer line violates the protocol. */
const LONGEST_LINE = 4 << 20;
export const START_MS = 10_000;

const Line = z.union([
  z.literal('ready'),
  z.object({ run: z.number(), said: z.string() }),
  z.object({ run: z.number(), idle: z.literal(true) }),
]);

type SandboxLine = z.infer<typeof Line>;

/** A process that scripts run in. */
export interface SandboxProcess {
  send(message: object): void;
  listener: ((line: SandboxLine) => void) | undefined;
  /** Resolves once the process has ended, for whatever reason. */
  ended: Promise<void>;
  hasEnded(): boolean;
  kill(): void;
}

/** Starts a process and waits until it is ready. A line that violates the protocol kills it. */
export async function startSandboxProcess(launch: Launch): Promise<SandboxProcess> {
  const child = launchProcess(launch);
  let isGone = false;
  const ended = new Promise<void>((resolve) => {
    child.once('error', () => resolve());
    child.once('exit', () => resolve());
  }).then(() => {
    isGone = true;
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

  let unread = '';
  // The process may die while we write to it.
  child.stdin.on('error', () => sandbox.kill());
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    unread += chunk;
    if (unread.length > LONGEST_LINE) sandbox.kill();
    const lines = unread.split('\n');
    unread = lines.pop() ?? '';
    for (const line of lines) {
      const parsed = parseLine(line);
      if (parsed === undefined) sandbox.kill();
      else sandbox.listener?.(parsed);
    }
  });

  let timer: NodeJS.Timeout | undefined;
  const isReady = await new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), START_MS);
    sandbox.listener = (line) => resolve(line === 'ready');
    void ended.then(() => resolve(false));
  });
  clearTimeout(timer);
  sandbox.listener = undefined;
  if (isReady) return sandbox;
  sandbox.kill();
  throw new Error('The sandbox process did not start.');
}

function parseLine(line: string): SandboxLine | undefined {
  try {
    return Line.parse(JSON.parse(line));
  } catch {
    return undefined;
  }
}
