import gt from 'semver/functions/gt.js';
import { embeddedBase } from '../drift/read-drift.js';
import { UserError } from '../errors.js';
import type { ManifestFile } from '../plan/manifest.js';
import { refuseHalfWay } from '../project/changes/heal-project.js';
import type { Project } from '../project/open-project.js';
import type { Examined } from './examine.js';
import { type Finding, note, ok, problem } from './finding.js';

const shownPaths = 5;

/** The record that upgrades rely on: manifest, pristine texts, what waits to be resolved. */
export function checkRecord({ project, version }: Examined): Finding[] {
  const { manifest, isIntact } = project;
  return [
    ...(isIntact ? [] : [changedManifest(project)]),
    ...baseFindings(project),
    ...halfWayFindings(project),
    ...pendingFindings(manifest.pending),
    versionFinding(manifest.version, version),
  ];
}

/** The files whose pristine text is missing, or is another than the manifest says. */
export function withoutBase({ root, manifest }: Project): ManifestFile[] {
  return manifest.files.filter((file) => embeddedBase(root, file) === undefined);
}

function changedManifest(project: Project): Finding {
  const isWhole = withoutBase(project).length === 0;
  return problem(
    'record',
    'The manifest was changed by hand, or merged by git: its checksum does not fit.',
    isWhole
      ? 'Every pristine text fits it, so: create-auth-service doctor --fix'
      : 'Take .create-auth-service/ from the commit before, as a whole.',
  );
}

function baseFindings(project: Project): Finding[] {
  const paths = withoutBase(project).map(({ path }) => path);
  if (paths.length === 0) {
    return [
      ok('record', `The pristine texts of ${project.manifest.files.length} files are there.`),
    ];
  }
  return [
    problem(
      'record',
      `The pristine text is missing or was changed: ${listed(paths)}`,
      'Take .create-auth-service/base/ from the commit before: git checkout <commit> -- .create-auth-service/base',
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
      `Waits for you: ${listed(pending)}`,
      'Resolve what is marked, then: create-auth-service upgrade --continue (or --abort)',
    ),
  ];
}

function versionFinding(made: string, version: string): Finding {
  if (made === version) return ok('version', `Made by ${made}, as this one.`);
  return gt(made, version)
    ? problem('version', `Made by ${made}, this is ${version}.`, `npx create-auth-service@${made}`)
    : note('version', `Made by ${made}; ${version} is there.`, 'create-auth-service upgrade');
}

function listed(paths: string[]): string {
  const more = paths.length - shownPaths;
  return [...paths.slice(0, shownPaths), ...(more > 0 ? [`and ${more} more`] : [])].join(', ');
}
