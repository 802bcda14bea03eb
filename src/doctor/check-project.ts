import { type PackageManagerName, packageManagerNames } from '../answers/package-managers.js';
import { valuesOf } from '../answers/questions.js';
import type { Catalog } from '../catalog/catalog.js';
import { type FileDrift, findPlaces, readDrift } from '../drift/file-drift.js';
import type { PackageJson } from '../plan/package-json.js';
import type { Project } from '../project/open-project.js';
import { readProjectFile } from '../project/read-file.js';
import { checkAdvisories } from './check-advisories.js';
import { checkDrift } from './check-drift.js';
import { checkGit } from './check-git.js';
import { checkRecord } from './check-record.js';
import { checkRuntime } from './check-runtime.js';
import { checkService } from './check-service.js';
import { checkSecrets, checkVariables, type DotEnv, readDotEnv } from './dot-env.js';
import type { Finding } from './finding.js';

/**
 * Checks for everything that is known to go wrong with a project, most important first.
 * @param seconds how long the service may take to answer
 */
export async function checkProject(
  catalog: Catalog,
  project: Project,
  { isServiceAsked, seconds }: { isServiceAsked: boolean; seconds: number },
): Promise<Finding[]> {
  const examined = await examine(catalog, project);
  const secrets = checkSecrets(examined);
  // At once: each mostly waits for a program of its own.
  const [ofService, ofRuntime, ofGit, ofRecord] = await Promise.all([
    isServiceAsked ? checkService(examined, seconds) : [],
    checkRuntime(examined),
    checkGit(examined),
    checkRecord(catalog, project),
  ]);
  return [
    ...ofRuntime,
    ...secrets,
    ...checkVariables(examined),
    ...ofGit,
    ...ofService.filter((finding) => !isReported(finding, secrets)),
    ...checkAdvisories(examined),
    ...ofRecord,
    ...checkDrift(examined),
  ];
}

/** True if the finding is about a secret that was already reported: its message begins with the name. */
function isReported({ severity, message }: Finding, secrets: Finding[]): boolean {
  const [name = ''] = /^[A-Z][A-Z0-9_]*\b/.exec(message) ?? [];
  const problems = secrets.filter((each) => each.severity === 'problem');
  const named = problems.flatMap((each) => each.message.match(/\b[A-Z][A-Z0-9_]*\b/g) ?? []);
  return severity === 'problem' && named.includes(name);
}

/** Everything read of a project before it is checked. */
export interface Examined {
  project: Project;
  packageManager: PackageManagerName;
  /** The project's current package.json; undefined if it is missing, or no package manager could read it. */
  packageJson: Partial<PackageJson> | undefined;
  dotEnv: DotEnv;
  drift: FileDrift[];
}

async function examine(catalog: Catalog, project: Project): Promise<Examined> {
  const { files } = await findPlaces(catalog, project);
  return {
    project,
    packageManager: packageManagerOf(project),
    packageJson: readPackageJson(project),
    dotEnv: readDotEnv(project, files),
    drift: await readDrift(catalog, project, files),
  };
}

function packageManagerOf({ manifest }: Project): PackageManagerName {
  const [answer] = valuesOf(manifest.answers, 'packageManager');
  return packageManagerNames.find((name) => name === answer) ?? 'npm';
}

function readPackageJson({ root }: Project): Partial<PackageJson> | undefined {
  try {
    const value: unknown = JSON.parse(String(readProjectFile(root, 'package.json')?.content));
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
