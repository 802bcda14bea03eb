import { chmodSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Catalog } from '../catalog/catalog.js';
import { systemCode, unlessRefused, unwritable } from '../errors.js';
import { packPath, packText, readPack, textIn } from '../plan/base-pack.js';
import { manifestPath, manifestText, sha256Of } from '../plan/manifest.js';
import { normalized } from '../upgrade/merge/text-shape.js';
import { writeDurably } from './changes/durable.js';
import type { Project } from './open-project.js';
import { readBases } from './read-bases.js';
import { readAnyFile, statsOf } from './read-file.js';

/** Rewrites the manifest with a matching checksum. The caller has checked that every pristine text matches it. */
export function renewManifest({ root, manifest }: Project): void {
  replace(root, manifestPath, Buffer.from(manifestText(manifest)));
}

/** How many pristine texts were found again, and how many were not. */
export interface Renewed {
  restored: number;
  lost: number;
}

/**
 * Rewrites `base.pack` in this program's format, with all texts that can still be found: in the pack, in git, rendered
 * again, or in a file that nobody has edited.
 * @returns undefined if it was already so
 */
export async function renewPack(catalog: Catalog, project: Project): Promise<Renewed | undefined> {
  const { root, manifest } = project;
  const before = readAnyFile(root, packPath)?.content;
  const bases = await readBases(catalog, project, manifest.files);
  const unedited = manifest.files.flatMap(({ path, movedTo, sha256 }) => {
    const content = readAnyFile(root, movedTo ?? path)?.content;
    const text = content && normalized(content);
    return text && sha256Of(text) === sha256 ? [text] : [];
  });
  const old = readPack(before);
  const sound = new Map([...old].filter(([sha256]) => textIn(old, sha256) !== undefined));
  const pack = packText(manifest.files, [...bases.values(), ...unedited], sound);
  if (before?.equals(pack)) return undefined;
  replace(root, packPath, pack);
  const now = readPack(pack);
  const hashes = manifest.files.map(({ sha256 }) => sha256);
  return {
    restored: hashes.filter((sha256) => now.has(sha256) && !textIn(old, sha256)).length,
    lost: hashes.filter((sha256) => !now.has(sha256)).length,
  };
}

/** @throws UserError if it cannot be written */
function replace(root: string, path: string, content: Buffer): void {
  const fresh = join(root, `${path}.${process.pid}.tmp`);
  try {
    // A link in its place would lead elsewhere.
    rmSync(fresh, { force: true });
    writeDurably(fresh, content);
    renameSync(fresh, join(root, path));
  } catch (error) {
    rmSync(fresh, { force: true });
    const code = systemCode(error);
    if (code === undefined) throw error;
    throw unwritable(path, code);
  }
}

/** Leaves access to `.env` to its owner only. @returns false if nobody else had access, or it is not ours to change */
export function makeEnvPrivate({ root }: Project): boolean {
  const stats = statsOf(join(root, '.env'));
  if (!stats?.isFile() || (stats.mode & 0o077) === 0 || process.platform === 'win32') return false;
  return unlessRefused(['EPERM', 'EROFS'], false, () => {
    chmodSync(join(root, '.env'), 0o600);
    return true;
  });
}
