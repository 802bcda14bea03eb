import { checkAll } from '../answers/check.js';
import { questionsFrom } from '../answers/questions.js';
import type { Catalog } from '../catalog/catalog.js';
import { UserError } from '../errors.js';
import { generatorVersion } from '../package-root.js';
import { packPath, pathsIn } from '../plan/base-pack.js';
import type { Manifest, ManifestFile } from '../plan/manifest.js';
import { planFromTemplates } from '../plan/plan-project.js';
import type { Project } from '../project/open-project.js';
import { readAnyFile } from '../project/read-file.js';
import { shown } from './finding.js';

/**
 * Why a manifest that does not match its checksum cannot be trusted; undefined if it matches the pristine texts and,
 * where this version wrote it, its own answers. At the next upgrade a missing line would make a file the team's own,
 * and a different answer would switch, for example, the database.
 */
export async function whyUntrusted(
  catalog: Catalog,
  { root, manifest, isIntact }: Project,
): Promise<string | undefined> {
  if (isIntact) return undefined;
  const recorded = new Set(pathsOf(manifest.files));
  const packed = pathsIn(readAnyFile(root, packPath)?.content);
  const unnamed = packed.filter((path) => !recorded.has(path));
  if (unnamed.length > 0)
    return `It does not name ${shown(unnamed)}, whose pristine text is there.`;
  if (manifest.version !== generatorVersion()) return undefined;
  try {
    const wrong = await disagreements(catalog, manifest);
    return wrong.length > 0
      ? `Its answers and its files do not agree on ${shown(wrong)}.`
      : undefined;
  } catch (error) {
    if (error instanceof UserError) return `Its answers are impossible: ${error.message}`;
    throw error;
  }
}

/** Layers and paths that only the answers or only the manifest imply, and files with another id or owner. */
async function disagreements(catalog: Catalog, { answers, files }: Manifest): Promise<string[]> {
  const plan = await planFromTemplates(catalog, checkAll(questionsFrom(catalog), answers));
  const planned = new Map(plan.files.map((file) => [file.path, file]));
  const others = files.filter(({ path, id, owner }) => {
    const file = planned.get(path);
    return file && (file.id !== id || file.owner !== owner);
  });
  return [
    ...unshared(layersOf(plan.files), layersOf(files)),
    ...unshared([...planned.keys()], pathsOf(files)),
    ...pathsOf(others),
  ];
}

/** All layers that contribute to the files: after a merge of two branches no single file may name them all. */
function layersOf(files: { layers: string[] }[]): string[] {
  return [...new Set(files.flatMap(({ layers }) => layers))];
}

function pathsOf(files: ManifestFile[]): string[] {
  return files.map(({ path }) => path);
}

/** Items that only one of the lists has. */
function unshared(one: string[], other: string[]): string[] {
  const only = (names: string[], without: string[]) => {
    const left = new Set(without);
    return names.filter((name) => !left.has(name));
  };
  return [...only(one, other), ...only(other, one)];
}
