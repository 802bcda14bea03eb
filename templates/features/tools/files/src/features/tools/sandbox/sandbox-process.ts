import { giveLowPriority, type Launch, launchProcess } from './launch.js';

/** Characters; a longer line violates the protocol. */
const LONGEST_LINE = 4 << 20;
const START_MS = 10_000;

/** A process that scripts run in. */
export interface SandboxProcess {
  send(message: object): void;
  /** Gets each line: what the script says as JSON text, `null` once the process is free. */
  listener: (said: string) => void;
  /** Resolves once the process has ended, for whatever reason. */
  ended: Promise<void>;
  kill(): void;
}

/** Starts a process and waits until it is free. Throws if it does not start. */
export async function startSandboxProcess(launch: Launch): Promise<SandboxProcess> {
  const child = launchProcess(launch);
  const ended = new Promise<void>((resolve) => {
    child.once('error', () => resolve());
    child.once('exit', () => resolve());
  });
  const kill = () => void child.kill('SIGKILL');

  const sandbox: SandboxProcess = {
    listener: () => {},
    ended,
    send: (message) => void child.stdin.write(`${JSON.stringify(message)}\n`),
    kill,
  };

  let unread = '';
  // The process may end while we write to it.
  child.stdin.on('error', kill);
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    unread += chunk;
    const lines = unread.split('\n');
    unread = lines.pop() ?? '';
    if (unread.length > LONGEST_LINE) return kill();
    for (const line of lines) {
      const said = textOf(line);
      if (said === undefined) return kill();
      sandbox.listener(said);
    }
  });

  await new Promise<void>((resolve, reject) => {
    const failed = () => {
      kill();
      reject(new Error('The sandbox process did not start.'));
    };
    const timer = setTimeout(failed, START_MS);
    void ended.then(failed);
    sandbox.listener = () => {
      clearTimeout(timer);
      resolve();
    };
  });
  // Not before: on a busy machine it would hardly come to start.
  if (child.pid !== undefined) giveLowPriority(child.pid);
  return sandbox;
}

/** The JSON string of a line; undefined if it is none. */
function textOf(line: string): string | undefined {
  try {
    const text: unknown = JSON.parse(line);
    return typeof text === 'string' ? text : undefined;
  } catch {
    return undefined;
  }
}
