import { existsSync, readFileSync, statfsSync } from 'node:fs';

const MOUNTS = '/proc/mounts';
const PLACE = '/dev/shm';
/** What the tests need at once, most of it the packages and caches of package managers. */
const ROOM = 4 * 1024 ** 3;

/** A folder in memory, if there is one with room where programs may run: what tests write there waits for no disk. */
export function memoryFolder(): string | undefined {
  if (!existsSync(MOUNTS) || !existsSync(PLACE)) return undefined;
  const mounts = readFileSync(MOUNTS, 'utf8').split('\n');
  const [, , kind, options = ''] =
    mounts.findLast((each) => each.split(' ')[1] === PLACE)?.split(' ') ?? [];
  const { bavail, bsize } = statfsSync(PLACE);
  const isFit = kind === 'tmpfs' && !options.split(',').includes('noexec');
  return isFit && bavail * bsize > ROOM ? PLACE : undefined;
}
