import { UserError } from '../errors.js';
import { gt } from '../packages/semver.js';
import { packPath, readPack, textIn } from '../plan/base-pack.js';
import type { ManifestFile } from '../plan/manifest.js';
import { refuseHalfWay } from '../project/changes/heal-project.js';
import { git } from '../project/git/call-git.js';
import type { Project } from '../project/open-project.js';
import { readAnyFile } from '../project/read-file.js';
import type { Examined } from './check-project.js';
import { type Finding, note, ok, problem, shown } from './finding.js';

/** Checks the record that upgrades rely on: manifest, pristine texts, pending conflicts. */
export async function checkRecord({ project, version, untrusted }: Examined): Promise<Finding[]> {
  const { root, manifest, isIntact } = project;
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
    versionFinding(manifest.version, version),
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
    return [problem('upgrade', error.message, error.hint ?? 'Wait until it has ended.')];
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

function versionFinding(made: string, version: string): Finding {
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
