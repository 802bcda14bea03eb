import { chmodSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packPath, readPack, recordOf, textIn } from '../plan/base-pack.js';
import { manifestPath, manifestText, sha256Of } from '../plan/manifest.js';
import { normalized } from '../upgrade/merge/text-shape.js';
import type { Project } from './open-project.js';
import { readBases } from './read-bases.js';
import { readAnyFile, statsWithin } from './read-file.js';

/** Writes the manifest anew, with a checksum that fits. The caller has seen that every pristine text fits it. */
export function renewManifest({ root, manifest }: Project): void {
  replace(join(root, manifestPath), Buffer.from(manifestText(manifest)));
}

/**
 * Writes `base.pack` as this program writes it, with all texts that are still to be had: from it, from git, rendered again, or from a
 * file that nobody has edited.
 * @param renderAgain as `readBases` takes it
 * @returns false if it was so already
 */
export async function renewPack(
  project: Project,
  renderAgain: () => Promise<ReadonlyMap<string, Buffer>>,
): Promise<boolean> {
  const { root, manifest } = project;
  const before = readAnyFile(root, packPath)?.content;
  const bases = await readBases(project, manifest.files, renderAgain);
  const unedited = manifest.files.flatMap(({ path, movedTo, sha256 }) => {
    const content = readAnyFile(root, movedTo ?? path)?.content;
    const text = content && normalized(content);
    return text && sha256Of(text) === sha256 ? [text] : [];
  });
  const old = readPack(before);
  const sound = [...old].filter(([sha256]) => textIn(old, sha256) !== undefined);
  const lines = sound.map(([sha256, packed]) => `-\t${sha256}\t${packed}\n`).join('');
  const [pack] = recordOf(manifest, [...bases.values(), ...unedited], Buffer.from(lines));
  if (!pack || before?.equals(pack.content)) return false;
  replace(join(root, packPath), pack.content);
  return true;
}

function replace(path: string, content: Buffer): void {
  const fresh = `${path}.${process.pid}.tmp`;
  writeFileSync(fresh, content);
  renameSync(fresh, path);
}

/** Takes `.env` from everybody but its owner. @returns false if nobody else had it */
export function makeEnvPrivate({ root }: Project): boolean {
  const stats = statsWithin(root, '.env');
  if (!stats?.isFile() || (stats.mode & 0o077) === 0 || process.platform === 'win32') return false;
  chmodSync(join(root, '.env'), 0o600);
  return true;
}
