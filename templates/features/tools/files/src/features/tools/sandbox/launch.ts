import { spawn, spawnSync } from 'node:child_process';
import { availableParallelism, constants, setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';

const CHILD = fileURLToPath(new URL('./child.cjs', import.meta.url));

/** Node's permission model denies the network from here on. */
const DENIES_NETWORK = 25;
const [major = 0] = process.versions.node.split('.').map(Number);

/** How a sandbox process is started; the weaker ways are for systems where the better fail. */
export interface Launch {
  /** What is missing compared with the best; for the log. */
  weakness: string | undefined;
  command: string;
  args: string[];
}

/** As many processes as cores, but at least two: one provider never has them all. */
export const POOL_SIZE = Math.max(2, availableParallelism());

/** Memory outside of the heap, in kB: Node does not start with less. */
const DATA_LIMIT = major >= 24 ? 1_000_000 : 400_000;

/** Node's own fences: no files, no processes, no code from text, a small heap. */
function nodeFlags(): string[] {
  return [
    ...(major >= 22 ? ['--permission'] : ['--experimental-permission']),
    `--allow-fs-read=${CHILD}`,
    '--disallow-code-generation-from-strings',
    '--disable-proto=delete',
    '--no-addons',
    '--no-warnings',
    '--max-old-space-size=64',
    '--max-semi-space-size=8',
    '--stack-size=900',
    // Its files are opened past the permission model.
    ...(major >= 22 ? ['--no-experimental-sqlite'] : []),
    CHILD,
  ];
}

/** The ways to start it, the best first. */
export function launches(): Launch[] {
  const plain = { command: process.execPath, args: nodeFlags() };
  if (process.platform === 'win32') {
    return [{ ...plain, weakness: 'memory outside of the heap is not limited' }];
  }
  // Linux shares the processor among sessions first, and each process is a session of its own.
  const yieldToOthers = `{ echo ${constants.priority.PRIORITY_LOW} >/proc/self/autogroup; } 2>/dev/null`;
  // The shell only sets limits and becomes Node: the process id stays the same.
  const limits = `${yieldToOthers}; ulimit -c 0; ulimit -d ${DATA_LIMIT} && exec "$0" "$@"`;
  const limited = { command: '/bin/sh', args: ['-c', limits, plain.command, ...plain.args] };
  const isolated = {
    command: 'unshare',
    args: ['--user', '--map-root-user', '--net', limited.command, ...limited.args],
  };
  const openNetwork = 'after an escape the network could be reached';
  const inNetwork =
    major >= DENIES_NETWORK
      ? [{ ...limited, weakness: undefined }]
      : [
          ...(hasNetworkNamespaces() ? [{ ...isolated, weakness: undefined }] : []),
          { ...limited, weakness: openNetwork },
        ];
  return [...inNetwork, { ...plain, weakness: `${openNetwork}, and memory is not limited` }];
}

function hasNetworkNamespaces(): boolean {
  const args = ['--user', '--map-root-user', '--net', 'true'];
  return spawnSync('unshare', args, { stdio: 'ignore', timeout: 2_000 }).status === 0;
}

/** Starts a process with nothing of ours: no environment, no files, no terminal. */
export function launchProcess({ command, args }: Launch) {
  const child = spawn(command, args, {
    env: { PATH: '/usr/bin:/bin' },
    cwd: '/',
    stdio: ['pipe', 'pipe', 'ignore'],
    // A group of its own: what it might start dies with it.
    detached: process.platform !== 'win32',
  });
  if (child.pid !== undefined) giveLowPriority(child.pid);
  return child;
}

/** Endless loops have the processor only while the service does not want it. */
function giveLowPriority(pid: number): void {
  try {
    setPriority(pid, constants.priority.PRIORITY_LOW);
  } catch {
    // It is gone already, or the system keeps that to itself: the script runs all the same.
  }
}
