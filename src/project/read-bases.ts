import type { Catalog } from '../catalog/catalog.js';
import { UserError } from '../errors.js';
import { generatorVersion } from '../package-root.js';
import { packPath, readPack, textIn } from '../plan/base-pack.js';
import { type Manifest, type ManifestFile, sha256Of } from '../plan/manifest.js';
import { planFromTemplates } from '../plan/plan-project.js';
import { readBlobs } from './git/call-git.js';
import type { Project } from './open-project.js';
import { readAnyFile } from './read-file.js';

/**
 * The pristine texts of these files by id: from `base.pack`, else from git, else rendered again. A text counts only if
 * its hash matches the manifest. Without one nobody knows what the team has edited, and nothing may be overwritten.
 */
export async function readBases(
  catalog: Catalog,
  { root, manifest }: Project,
  files: ManifestFile[],
): Promise<Map<string, Buffer>> {
  const bases = new Map<string, Buffer>();
  const take = (textOf: (file: ManifestFile) => Buffer | undefined) => {
    for (const file of files) {
      const text = bases.has(file.id) ? undefined : textOf(file);
      if (text && sha256Of(text) === file.sha256) bases.set(file.id, text);
    }
    return files.filter(({ id }) => !bases.has(id));
  };
  if (files.length === 0) return bases;
  const pack = readPack(readAnyFile(root, packPath)?.content);
  const notPacked = take(({ sha256 }) => textIn(pack, sha256));
  if (notPacked.length === 0) return bases;
  const ids = notPacked.map(({ blob }) => blob);
  const blobs = await readBlobs(root, ids);
  const notInGit = take(({ blob }) => blobs.get(blob));
  if (notInGit.length === 0) return bases;
  const rendered = renderAgain(catalog, manifest);
  take(({ id }) => rendered.get(id));
  return bases;
}

/**
 * The project's files as they were emitted, rendered again, by id; nothing if another version emitted them, or somebody
 * has edited the answers.
 */
export function renderAgain(
  catalog: Catalog,
  { version, answers }: Manifest,
): ReadonlyMap<string, Buffer> {
  if (version !== generatorVersion()) return new Map();
  try {
    const { files } = planFromTemplates(catalog, answers);
    return new Map(files.map(({ id, content }) => [id, content]));
  } catch (error) {
    if (error instanceof UserError) return new Map();
    throw error;
  }
}
