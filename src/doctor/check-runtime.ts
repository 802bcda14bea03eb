import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { packageManagers } from '../answers/package-managers.js';
import { satisfies } from '../packages/semver-ranges.js';
import type { PackageJson } from '../plan/package-json.js';
import type { Project } from '../project/open-project.js';
import { run } from '../project/run.js';
import type { Examined } from './check-project.js';
import { type Finding, note, ok, problem } from './finding.js';

/** Checks Node, the package manager, and what it should have installed. */
export async function checkRuntime(examined: Examined): Promise<Finding[]> {
  const lockFiles = lockFileFindings(examined);
  const manager = await packageManagerFinding(examined);
  const { packageJson } = examined;
  if (!packageJson) return [manager, unreadable(), ...lockFiles];
  return [nodeFinding(packageJson), manager, dependenciesFinding(examined), ...lockFiles];
}

function unreadable(): Finding {
  return problem(
    'package.json',
    'It is missing, or is not JSON: comments and commas at the end are not allowed there.',
    'Correct it, or restore it as it was emitted: npx create-auth-service regenerate package.json',
  );
}

/** For what the team has deleted from package.json. */
export const seeBefore = 'To see what it was: npx create-auth-service diff package.json';

function nodeFinding({ engines }: Partial<PackageJson>): Finding {
  const range = engines?.node;
  const { node } = process.versions;
  if (range === undefined) {
    return note('node', `${node}; package.json does not say which version it needs.`, seeBefore);
  }
  if (satisfies(node, range)) return ok('node', `${node} satisfies ${range}.`);
  return problem(
    'node',
    `${node} does not satisfy ${range}, which package.json requires.`,
    'Install a newer Node.',
  );
}

async function packageManagerFinding({ project, packageManager }: Examined): Promise<Finding> {
  const { setup } = packageManagers[packageManager];
  const { exitCode, output } = await run(packageManager, ['--version'], { cwd: project.root });
  const version = output.trim().split('\n').at(-1);
  if (exitCode === 0) return ok('package manager', `${packageManager} ${version}`);
  return problem('package manager', `${packageManager} is not installed.`, setup);
}

function dependenciesFinding(examined: Examined): Finding {
  const { project, packageJson, packageManager } = examined;
  const about = 'dependencies';
  if (resolvesByPlugAndPlay(project)) return ok(about, 'Plug’n’Play resolves them.');
  const count = neededPackages(packageJson).length;
  const missing = missingPackages(examined);
  if (missing.length === 0) return ok(about, `${count} are installed.`);
  const some = missing.slice(0, 3).join(', ') + (missing.length > 3 ? ', …' : '');
  const message = `${missing.length} of ${count} are not installed: ${some}`;
  return problem(about, message, packageManagers[packageManager].install);
}

function lockFileFindings({ project, packageManager }: Examined): Finding[] {
  const { lockfile } = packageManagers[packageManager];
  const others = Object.values(packageManagers)
    .filter((each) => each.lockfile !== lockfile && existsSync(join(project.root, each.lockfile)))
    .map((each) => each.lockfile);
  if (others.length === 0) return [];
  const message = `${others.join(' and ')} of another package manager; this project was made for ${packageManager}.`;
  return [
    note('lock file', message, `Keep one: ${lockfile}, or change the package manager everywhere.`),
  ];
}

/**
 * Names of packages that package.json asks for and that are not installed; none where Plug’n’Play resolves packages.
 */
export function missingPackages({ project, packageJson }: Examined): string[] {
  if (resolvesByPlugAndPlay(project)) return [];
  return neededPackages(packageJson).filter(
    (name) => !isFoundFrom(project.root, `node_modules/${name}/package.json`),
  );
}

function neededPackages({ dependencies, devDependencies }: Partial<PackageJson> = {}): string[] {
  return Object.keys({ ...dependencies, ...devDependencies });
}

function resolvesByPlugAndPlay({ root }: Pick<Project, 'root'>): boolean {
  return isFoundFrom(root, '.pnp.cjs');
}

/** Looks as Node does, here and in every folder above: a workspace has its packages at its top. */
function isFoundFrom(folder: string, path: string): boolean {
  if (existsSync(join(folder, path))) return true;
  return folder !== dirname(folder) && isFoundFrom(dirname(folder), path);
}
