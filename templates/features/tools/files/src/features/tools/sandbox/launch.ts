import { spawn, spawnSync } from 'node:child_process';
import { availableParallelism, constants, setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';

const CHILD = fileURLToPath(new URL('./child.cjs', import.meta.url));

/** The first version whose permission model denies the network. */
const DENIES_NETWORK = 25;
const [major = 0] = process.versions.node.split('.').map(Number);

/** A way to start a sandbox process; weaker ones are for systems where stronger ones fail. */
export interface Launch {
  /** The protection that it lacks, for the log; undefined for the strongest. */
  weakness: string | undefined;
  command: string;
  args: string[];
}

/** One process for each core, but at least two, because one provider never gets all of them. */
export const POOL_SIZE = Math.max(2, availableParallelism());

/** Limit of the data segment in kB; with less Node does not start. */
const DATA_LIMIT = major >= 24 ? 1_000_000 : 400_000;

/** Denies files, child processes and code from strings, and limits the heap. */
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
    // The database that comes with Node.js opens files in spite of the permission model.
    ...(major >= 22 ? ['--no-experimental-sqlite'] : []),
    CHILD,
  ];
}

/** The ways to start a process, the strongest first. */
export function launches(): Launch[] {
  const plain = { command: process.execPath, args: nodeFlags() };
  if (process.platform === 'win32') {
    return [{ ...plain, weakness: 'memory outside of the heap is not limited' }];
  }
  // Linux divides CPU time among sessions first, and each sandbox is a session: its priority must be lowered there.
  const yieldToOthers = `{ echo ${constants.priority.PRIORITY_LOW} >/proc/self/autogroup; } 2>/dev/null`;
  // The shell sets limits, then `exec` replaces it with Node under the same process id.
  const limits = `${yieldToOthers}; ulimit -c 0; ulimit -d ${DATA_LIMIT} && exec "$0" "$@"`;
  const limited = { command: '/bin/sh', args: ['-c', limits, plain.command, ...plain.args] };
  const isolated = {
    command: 'unshare',
    args: ['--user', '--map-root-user', '--net', limited.command, ...limited.args],
  };
  const openNetwork = 'after an escape the network could be reached';
  const unlimited = { ...plain, weakness: `${openNetwork}, and memory is not limited` };
  if (major >= DENIES_NETWORK) return [{ ...limited, weakness: undefined }, unlimited];
  const ways = [{ ...limited, weakness: openNetwork }, unlimited];
  return hasNetworkNamespaces() ? [{ ...isolated, weakness: undefined }, ...ways] : ways;
}

function hasNetworkNamespaces(): boolean {
  const args = ['--user', '--map-root-user', '--net', 'true'];
  return spawnSync('unshare', args, { stdio: 'ignore', timeout: 2_000 }).status === 0;
}

/** Starts a process that inherits nothing: no environment, no files, no terminal. */
export function launchProcess({ command, args }: Launch) {
  const child = spawn(command, args, {
    env: { PATH: '/usr/bin:/bin' },
    cwd: '/',
    stdio: ['pipe', 'pipe', 'ignore'],
    // A process group of its own, so that whatever it might start is killed with it.
    detached: process.platform !== 'win32',
  });
  if (child.pid !== undefined) giveLowPriority(child.pid);
  return child;
}

/** So that endless loops do not take CPU time from the service. */
function giveLowPriority(pid: number): void {
  try {
    setPriority(pid, constants.priority.PRIORITY_LOW);
  } catch {
    // The process has ended, or the system does not allow it: the script runs anyway.
  }
}
