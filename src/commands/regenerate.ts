import type { Catalog } from '../catalog/catalog.js';
import { findPlaces } from '../drift/file-drift.js';
import { UserError } from '../errors.js';
import { packPath } from '../plan/base-pack.js';
import { type Manifest, type ManifestFile, manifestPath, sha256Of } from '../plan/manifest.js';
import { filesNamed } from '../project/named-files.js';
import { findProject } from '../project/open-project.js';
import { readBases, renderAgain } from '../project/read-bases.js';
import { readProjectFile } from '../project/read-file.js';
import { planRegenerate } from '../upgrade/plan-regenerate.js';
import { type ChangeFlags, carryOut, checkChangeFlags } from './carry-out.js';
import { openForChange } from './open-for-change.js';

/**
 * Restores the emitted text of files.
 * @param paths files and folders; everything emitted if there are none
 * @returns the exit code
 * @throws UserError if nothing was changed
 */
export async function regenerate(
  catalog: Catalog,
  paths: string[],
  flags: ChangeFlags & { yes?: boolean },
): Promise<number> {
  checkChangeFlags(flags);
  findProject(process.cwd());
  if (paths.length === 0 && !flags.yes && !flags.dryRun) {
    throw new UserError(
      'Without a path, all your changes to emitted files would be replaced.',
      'Name files or folders, or use --yes. --dry-run only shows what would change.',
    );
  }
  const { project, terminal } = openForChange(flags);
  const found =
    flags.moves === false
      ? { files: project.manifest.files, moves: [] }
      : await findPlaces(catalog, project);
  const files = filesNamed(project.root, found.files, paths);
  const bases = await readBases(catalog, project, files);
  const { manifest } = project;
  const offers = offersOf(catalog, manifest, files);
  const places = files.map(({ movedTo, path }) => movedTo ?? path);
  const there = [manifestPath, packPath, ...places].flatMap((path) => {
    const file = readProjectFile(project.root, path);
    return file ? [[path, file] as const] : [];
  });
  const moves = found.moves.filter(({ path }) => places.includes(path));
  const plan = planRegenerate({
    manifest,
    files,
    places: new Map(found.files.map(({ path, movedTo }) => [path, movedTo ?? path])),
    moves,
    bases,
    offers,
    project: new Map(there),
  });
  return carryOut({ project, plan, title: 'Regenerate emitted files' }, flags, terminal);
}

/**
 * Template texts that an upgrade only reported: the record has their hashes, the version that reported them their
 * texts.
 */
function offersOf(
  catalog: Catalog,
  manifest: Manifest,
  files: ManifestFile[],
): ReadonlyMap<string, Buffer> {
  const wanted = files.filter(({ offered }) => offered !== undefined);
  if (wanted.length === 0) return new Map();
  const rendered = renderAgain(catalog, manifest);
  const found = wanted.flatMap(({ id, offered }) => {
    const content = rendered.get(id);
    return content && sha256Of(content) === offered ? [[id, content] as const] : [];
  });
  return new Map(found);
}
