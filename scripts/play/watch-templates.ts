import { type Dirent, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { templatesFolder } from '../../src/package-root.js';

const lookMilliseconds = 100;

/**
 * Names, sizes and times of all that lies below `templates/`: it differs after every change. The watching of folders that
 * Node brings misses changes on Linux, and in new folders; looking at some hundred files takes a few milliseconds.
 */
export function templatesState(folder = templatesFolder): string {
  return entriesOf(folder)
    .filter(({ name }) => name !== 'node_modules')
    .map((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return templatesState(path);
      const stats = statSync(path, { throwIfNoEntry: false });
      return `${path} ${stats?.size} ${stats?.mtimeMs}`;
    })
    .join('\n');
}

/** A folder that vanishes meanwhile, as when git changes branches, has none. */
function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

/**
 * Calls `changed` after each change below `templates/`, one call after the other, until the process ends.
 * @param rendered the state of which everything is known already
 */
export async function watchTemplates(
  rendered: string,
  changed: () => Promise<void>,
): Promise<never> {
  let known = rendered;
  for (let seen = rendered; ; ) {
    await wait(lookMilliseconds);
    const now = templatesState();
    // An editor writes in several steps: wait until two looks see the same.
    const isQuiet = now === seen;
    seen = now;
    if (isQuiet && now !== known) {
      known = now;
      await changed();
    }
  }
}
