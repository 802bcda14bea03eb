import { baseFolder, type ManifestFile } from '../plan/manifest.js';
import { findBase } from '../upgrade/base.js';
import { readBlobs } from './git/read-blobs.js';
import type { Project } from './open-project.js';
import { readProjectFile } from './read-file.js';

/**
 * The pristine texts of these files by id: from the record folder, else from git, else rendered again.
 * @param renderAgain every file as the manifest's version emits it, by id; none if this is another version. It is called
 *   only if something is found nowhere else
 */
export async function readBases(
  { root }: Project,
  files: ManifestFile[],
  renderAgain: () => Promise<ReadonlyMap<string, Buffer>>,
): Promise<Map<string, Buffer>> {
  const bases = new Map<string, Buffer>();
  const take = (candidateOf: (file: ManifestFile) => Buffer | undefined) => {
    for (const file of files) {
      const base = bases.has(file.id) ? undefined : findBase(file, [() => candidateOf(file)]);
      if (base) bases.set(file.id, base);
    }
    return files.filter(({ id }) => !bases.has(id));
  };
  const notKept = take(({ path }) => readProjectFile(root, `${baseFolder}/${path}`)?.content);
  if (notKept.length === 0) return bases;
  const blobs = await readBlobs(
    root,
    notKept.map(({ blob }) => blob),
  );
  const notInGit = take(({ blob }) => blobs.get(blob));
  if (notInGit.length === 0) return bases;
  const rendered = await renderAgain();
  take(({ id }) => rendered.get(id));
  return bases;
}
