import type { Catalog } from '../catalog/catalog.js';
import { UserError } from '../errors.js';
import { generatorVersion } from '../package-root.js';
import { gt } from '../packages/semver.js';
import { packPath, pathsIn, readPack, textIn } from '../plan/base-pack.js';
import type { Manifest, ManifestFile } from '../plan/manifest.js';
import { planFromTemplates } from '../plan/plan-project.js';
import { refuseHalfWay } from '../project/changes/heal-project.js';
import { git } from '../project/git/call-git.js';
import type { Project } from '../project/open-project.js';
import { readAnyFile } from '../project/read-file.js';
import { type Finding, note, ok, problem, shown } from './finding.js';

/** Checks the record that upgrades rely on: manifest, pristine texts, pending conflicts. */
export async function checkRecord(catalog: Catalog, project: Project): Promise<Finding[]> {
  const { root, manifest, isIntact } = project;
  const untrusted = whyUntrusted(catalog, project);
  const lost = withoutBase(project);
  const isInRepository = (await git(root, 'rev-parse', '--is-inside-work-tree')) === 'true';
  const before = isInRepository ? 'the previous commit' : 'a backup';
  return [
    ...(isIntact ? [] : [changedManifest(lost, untrusted, before)]),
    ...baseFindings(
      manifest.files.length,
      lost,
      isInRepository ? `${before}: git checkout <commit> -- ${packPath}` : before,
    ),
    ...halfWayFindings(project),
    ...pendingFindings(manifest.pending),
    versionFinding(manifest.version),
  ];
}

/** The files whose pristine text is missing or does not match the manifest. */
export function withoutBase({ root, manifest }: Project): ManifestFile[] {
  const pack = readPack(readAnyFile(root, packPath)?.content);
  return manifest.files.filter(({ sha256 }) => textIn(pack, sha256) === undefined);
}

/** @param before where the record can be restored from */
function changedManifest(
  lost: ManifestFile[],
  untrusted: string | undefined,
  before: string,
): Finding {
  const restore = `Restore all of .create-auth-service/ from ${before}.`;
  return problem(
    'record',
    'The manifest was changed by hand, or merged by git: its checksum does not match.',
    lost.length === 0 && untrusted === undefined
      ? 'Every pristine text matches it. Run: npx create-auth-service doctor --fix'
      : [untrusted, restore].filter(Boolean).join(' '),
  );
}

/** @param before where the pack can be restored from */
function baseFindings(count: number, lost: ManifestFile[], before: string): Finding[] {
  if (lost.length === 0) {
    return [ok('record', `The pristine texts of ${count} files are there.`)];
  }
  return [
    problem(
      'record',
      `The pristine text is missing or was changed: ${shown(lost.map(({ path }) => path))}`,
      `npx create-auth-service doctor --fix restores what it can; restore the rest from ${before}`,
    ),
  ];
}

function halfWayFindings({ root }: Project): Finding[] {
  try {
    refuseHalfWay(root);
    return [];
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return [problem('upgrade', error.message, error.hint ?? '')];
  }
}

function pendingFindings(pending: string[]): Finding[] {
  if (pending.length === 0) return [];
  return [
    problem(
      'upgrade',
      `Pending: ${shown(pending)}`,
      'Resolve them, then: npx create-auth-service upgrade --continue (or --abort)',
    ),
  ];
}

function versionFinding(made: string): Finding {
  const version = generatorVersion();
  if (made === version) return ok('version', `Made by ${made}, the version of this command.`);
  return gt(made, version)
    ? problem(
        'version',
        `Made by ${made}, this is ${version}.`,
        `npx create-auth-service@${made} doctor`,
      )
    : note(
        'version',
        `Made by ${made}; ${version} is available.`,
        'npx create-auth-service upgrade',
      );
}

/**
 * Why a manifest that does not match its checksum cannot be trusted; undefined if it matches the pristine texts and,
 * where this version wrote it, its own answers. At the next upgrade a missing line would make a file the team's own,
 * and a different answer would switch, for example, the database.
 */
export function whyUntrusted(
  catalog: Catalog,
  { root, manifest, isIntact }: Project,
): string | undefined {
  if (isIntact) return undefined;
  const recorded = pathsOf(manifest.files);
  const packed = pathsIn(readAnyFile(root, packPath)?.content);
  const unnamed = packed.filter((path) => !recorded.includes(path));
  if (unnamed.length > 0)
    return `It does not name ${shown(unnamed)}, whose pristine text is there.`;
  if (manifest.version !== generatorVersion()) return undefined;
  try {
    const wrong = disagreements(catalog, manifest);
    return wrong.length > 0
      ? `Its answers and its files do not agree on ${shown(wrong)}.`
      : undefined;
  } catch (error) {
    if (error instanceof UserError) return `Its answers are not valid: ${error.message}`;
    throw error;
  }
}

/** Layers and paths that only the answers or only the manifest imply, and files with another id or owner. */
function disagreements(catalog: Catalog, { answers, files }: Manifest): string[] {
  const plan = planFromTemplates(catalog, answers);
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
  const only = (names: string[], without: string[]) =>
    names.filter((name) => !without.includes(name));
  return [...only(one, other), ...only(other, one)];
}
