import {
  accessSync,
  constants,
  mkdirSync,
  readdirSync,
  rmdirSync,
  rmSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isAlive } from './is-alive.js';
import { undoPlacing } from './place.js';

/** A folder beside the target in which the project grows until it is complete. */
export interface Staging {
  path: string;
  /** The tree to be moved into place. */
  fresh: string;
  /** What it replaces, kept until all is done. */
  replaced: string;
  target: string;
}

export interface OpenStaging extends Staging {
  /** Removes it; if the tree was not moved yet, all that was made for it goes, too. */
  discard(): void;
}

const stagingName = /^\..+\.create-auth-service-(\d+)$/;

function nameOfStaging(target: string, pid: number): string {
  return `.${basename(target)}.create-auth-service-${pid}`;
}

export function isStagingName(name: string): boolean {
  return stagingName.test(name);
}

/** Makes the folder, and those above the target that are missing. */
export function openStaging(target: string): OpenStaging {
  const firstMade = mkdirSync(dirname(target), { recursive: true });
  const name = nameOfStaging(target, process.pid);
  const staging = stagingAt(join(stagingParent(target), name), target);
  mkdirSync(staging.path, { recursive: true });
  return {
    ...staging,
    discard: () => {
      discardStaging(staging);
      if (firstMade) removeEmptyFolders(dirname(target), firstMade);
    },
  };
}

/**
 * Removes what an earlier run left behind if it was killed, and puts back what it had half replaced.
 * Runs that are still alive are left alone.
 */
export function healLeftovers(target: string): void {
  for (const parent of [dirname(target), target]) {
    for (const name of namesIn(parent)) {
      const pid = Number(stagingName.exec(name)?.[1]);
      const isDead = name === nameOfStaging(target, pid) && !isAlive(pid);
      if (isDead) discardStaging(stagingAt(join(parent, name), target));
    }
  }
}

function stagingAt(path: string, target: string): Staging {
  return { path, fresh: join(path, 'fresh'), replaced: join(path, 'replaced'), target };
}

function discardStaging(staging: Staging): void {
  undoPlacing(staging);
  rmSync(staging.path, { recursive: true, force: true });
}

/** Beside the target, or within it where a rename from beside would fail: a mount point, a parent of somebody else. */
function stagingParent(target: string): string {
  const parent = dirname(target);
  try {
    const isSameDevice = statSync(target).dev === statSync(parent).dev;
    accessSync(parent, constants.W_OK);
    return isSameDevice ? parent : target;
  } catch {
    return namesIn(parent).includes(basename(target)) ? target : parent;
  }
}

function removeEmptyFolders(from: string, last: string): void {
  try {
    for (let folder = from; folder.startsWith(last); folder = dirname(folder)) rmdirSync(folder);
  } catch {
    // Somebody put a file there meanwhile: it stays.
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
