import { UserError } from '../errors.js';
import { gt } from '../packages/semver.js';
import { packPath, readPack, textIn } from '../plan/base-pack.js';
import type { ManifestFile } from '../plan/manifest.js';
import { refuseHalfWay } from '../project/changes/heal-project.js';
import type { Project } from '../project/open-project.js';
import { readAnyFile } from '../project/read-file.js';
import type { Examined } from './check-project.js';
import { type Finding, note, ok, problem } from './finding.js';

const shownPaths = 5;

/** Checks the record that upgrades rely on: manifest, pristine texts, pending conflicts. */
export function checkRecord({ project, version }: Examined): Finding[] {
  const { manifest, isIntact } = project;
  const lost = withoutBase(project);
  return [
    ...(isIntact ? [] : [changedManifest(lost)]),
    ...baseFindings(project, lost),
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

function changedManifest(lost: ManifestFile[]): Finding {
  return problem(
    'record',
    'The manifest was changed by hand, or merged by git: its checksum does not match.',
    lost.length === 0
      ? 'Every pristine text matches it. Run: npx create-auth-service doctor --fix'
      : 'Restore all of .create-auth-service/ from the previous commit.',
  );
}

function baseFindings({ manifest }: Project, lost: ManifestFile[]): Finding[] {
  if (lost.length === 0) {
    return [ok('record', `The pristine texts of ${manifest.files.length} files are there.`)];
  }
  return [
    problem(
      'record',
      `The pristine text is missing or was changed: ${listed(lost.map(({ path }) => path))}`,
      `npx create-auth-service doctor --fix restores what it can; restore the rest from the previous commit: git checkout <commit> -- ${packPath}`,
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
      `Pending: ${listed(pending)}`,
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

function listed(paths: string[]): string {
  const more = paths.length - shownPaths;
  return [...paths.slice(0, shownPaths), ...(more > 0 ? [`and ${more} more`] : [])].join(', ');
}
