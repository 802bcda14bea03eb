import { packPath, readPack, textIn } from '../plan/base-pack.js';
import { type ManifestFile, sha256Of } from '../plan/manifest.js';
import { readBlobs } from './git/call-git.js';
import type { Project } from './open-project.js';
import { readProjectFile } from './read-file.js';

/**
 * The pristine texts of these files by id: from `base.pack`, else from git, else rendered again. A text counts only if
 * its hash matches the manifest. Without one nobody knows what the team has edited, and nothing may be overwritten.
 * @param renderAgain every file as the manifest's version emits it, by id; none if this is another version. Called only
 *   if a text is found nowhere else
 * @throws UserError if a link or a folder is in the place of `base.pack`
 */
export async function readBases(
  { root }: Pick<Project, 'root'>,
  files: ManifestFile[],
  renderAgain: () => Promise<ReadonlyMap<string, Buffer>>,
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
  const rendered = await renderAgain();
  take(({ id }) => rendered.get(id));
  return bases;
}
