import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const CHILD = fileURLToPath(new URL('./child.cjs', import.meta.url));

const [major = 0] = process.versions.node.split('.').map(Number);
/** The first releases of Node 22 and 23 lack some of the flags that their later ones have. */
const known = process.allowedNodeEnvironmentFlags;

/** A way to start a sandbox process; weaker ones are for systems where stronger ones fail. */
export interface Launch {
  /** The protection that it lacks, for the log; undefined for the strongest. */
  weakness: string | undefined;
  command: string;
  args: string[];
}

/** Limit of the data segment in kB; with less Node does not start. */
const DATA_LIMIT = major >= 24 ? 1_000_000 : 400_000;
/** Limit of CPU time in seconds: it ends a loop whose service was killed. `pool.ts` replaces processes earlier. */
const CPU_LIMIT = 30;

/** Denies files, child processes and code from strings, and limits the heap. */
const NODE_FLAGS = [
  known.has('--permission') ? '--permission' : '--experimental-permission',
  `--allow-fs-read=${CHILD}`,
  '--disallow-code-generation-from-strings',
  '--disable-proto=delete',
  '--no-addons',
  '--no-warnings',
  '--unhandled-rejections=none',
  '--max-old-space-size=64',
  '--max-semi-space-size=8',
  '--stack-size=900',
  // The database that comes with Node.js opens files despite the permission model.
  ...(major > 22 || known.has('--no-experimental-sqlite') ? ['--no-experimental-sqlite'] : []),
  CHILD,
];

/** The ways to start a process, the strongest first. */
export function launches(): Launch[] {
  const plain = { command: process.execPath, args: NODE_FLAGS };
  if (process.platform === 'win32') {
    return [{ ...plain, weakness: 'memory outside of the heap is not limited' }];
  }
  // The shell sets limits, then `exec` replaces it with Node under the same process id.
  const limits = `ulimit -c 0 && ulimit -t ${CPU_LIMIT} && ulimit -d ${DATA_LIMIT} && exec "$0" "$@"`;
  const limited = { command: '/bin/sh', args: ['-c', limits, plain.command, ...plain.args] };
  const isolated = {
    command: 'unshare',
    args: ['--user', '--map-root-user', '--net', limited.command, ...limited.args],
  };
  const openNetwork = 'after an escape the network could be reached';
  const unlimited = { ...plain, weakness: `${openNetwork}, and memory is not limited` };
  // From Node 25 on the permission model denies the network.
  if (major >= 25) return [{ ...limited, weakness: undefined }, unlimited];
  return [{ ...isolated, weakness: undefined }, { ...limited, weakness: openNetwork }, unlimited];
}

/** Starts a process that inherits nothing: no environment, no files, no terminal. */
export function launchProcess({ command, args }: Launch) {
  return spawn(command, args, {
    env: { PATH: '/usr/bin:/bin' },
    cwd: '/',
    stdio: ['pipe', 'pipe', 'ignore'],
    // A process group of its own: Ctrl-C ends the service, which lets its scripts finish.
    detached: process.platform !== 'win32',
  });
}

/** Keeps endless loops from taking CPU time from the service. Where the system refuses, scripts run anyway. */
function giveLowPriority(pid: number): void {
  try {
    setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
    if (process.platform !== 'linux') return;
    // Linux divides CPU time among sessions first, and each sandbox is a session.
    writeFileSync(`/proc/${pid}/autogroup`, String(constants.priority.PRIORITY_BELOW_NORMAL));
  } catch {
    // The process has ended, or the system lacks this.
  }
}

/** Characters; a longer line violates the protocol. */
const LONGEST_LINE = 4 << 20;
const START_MS = 10_000;

export type SandboxProcess = Awaited<ReturnType<typeof startSandboxProcess>>;

/** Starts a process and waits until it is free. Throws if it does not start. */
export async function startSandboxProcess(launch: Launch) {
  const child = launchProcess(launch);
  // One handler for all runs: one each would keep their data until then. `once` rejects if the process does not start.
  const end = (): void => sandbox.listener(undefined);
  const ended = once(child, 'exit').then(end, end);
  const kill = () => void child.kill('SIGKILL');

  const sandbox = {
    /** Gets each line: the script's messages as JSON text, `null` once the process is free; undefined at its end. */
    listener: (_message: string | undefined): void => {},
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
    /** Resolves once the process has ended, for whatever reason. */
    ended,
    send: (message: object): void => void child.stdin.write(`${JSON.stringify(message)}\n`),
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
      const message = parseJson(line)?.value;
      if (typeof message !== 'string') return kill();
      sandbox.listener(message);
    }
  });

  const isFree = new Promise<true>((resolve) => {
    sandbox.listener = (message) => message !== undefined && resolve(true);
  });
  const isLate = sleep(START_MS, undefined, { ref: false });
  if (!(await Promise.race([isFree, ended, isLate]))) {
    kill();
    throw new Error('The sandbox process did not start.');
  }
  // Not earlier: on a busy machine a start at low priority takes long.
  if (child.pid !== undefined) giveLowPriority(child.pid);
  return sandbox;
}

/** Undefined if the text is not JSON. */
export function parseJson(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}
