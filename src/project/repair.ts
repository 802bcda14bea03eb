import { chmodSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { manifestPath, manifestText } from '../plan/manifest.js';
import type { Project } from './open-project.js';
import { statsWithin } from './read-file.js';

/** Writes the manifest anew, with a checksum that fits. The caller has seen that every pristine text fits it. */
export function renewManifest({ root, manifest }: Project): void {
  const path = join(root, manifestPath);
  const fresh = `${path}.${process.pid}.tmp`;
  writeFileSync(fresh, manifestText(manifest));
  renameSync(fresh, path);
}

/** Takes `.env` from everybody but its owner. @returns false if nobody else had it */
export function makeEnvPrivate({ root }: Project): boolean {
  const stats = statsWithin(root, '.env');
  if (!stats?.isFile() || (stats.mode & 0o077) === 0 || process.platform === 'win32') return false;
  chmodSync(join(root, '.env'), 0o600);
  return true;
}
