import type { Catalog } from '../catalog/catalog.js';
import { generatorVersion } from '../package-root.js';
import { packPath, readPack, textIn } from '../plan/base-pack.js';
import { type Manifest, type ManifestFile, sha256Of } from '../plan/manifest.js';
import { planFromTemplates } from '../plan/plan-project.js';
import { readBlobs } from './git/call-git.js';
import type { Project } from './open-project.js';
import { readProjectFile } from './read-file.js';

/**
 * The pristine texts of these files by id: from `base.pack`, else from git, else rendered again. A text counts only if
 * its hash matches the manifest. Without one nobody knows what the team has edited, and nothing may be overwritten.
 * @throws UserError if a link or a folder is in the place of `base.pack`
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
  const pack = readPack(readProjectFile(root, packPath)?.content);
  const notPacked = take(({ sha256 }) => textIn(pack, sha256));
  if (notPacked.length === 0) return bases;
  const blobs = await readBlobs(
    root,
    notPacked.map(({ blob }) => blob),
  );
  const notInGit = take(({ blob }) => blobs.get(blob));
  if (notInGit.length === 0) return bases;
  const rendered = await renderAgain(catalog, manifest);
  take(({ id }) => rendered.get(id));
  return bases;
}

/**
 * Renders the project's files again as they were emitted, by id; nothing if another version emitted them.
 * @throws UserError if these answers do not exist in this version: somebody has edited them
 */
export async function renderAgain(
  catalog: Catalog,
  { version, answers }: Manifest,
): Promise<ReadonlyMap<string, Buffer>> {
  if (version !== generatorVersion()) return new Map();
  const plan = await planFromTemplates(catalog, answers);
  return new Map(plan.files.map(({ id, content }) => [id, content]));
}
