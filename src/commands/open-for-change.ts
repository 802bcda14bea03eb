import { cwd } from 'node:process';
import { checkAll } from '../answers/check.js';
import { answersSchema } from '../answers/schema.js';
import type { Catalog } from '../catalog/catalog.js';
import { UserError } from '../errors.js';
import { generatorVersion } from '../package-root.js';
import { gt } from '../packages/semver.js';
import { type Manifest, manifestPath } from '../plan/manifest.js';
import { planFromTemplates } from '../plan/plan-from-templates.js';
import { healProject, refuseHalfWay } from '../project/changes/heal-project.js';
import { findProject, openProject, type Project } from '../project/open-project.js';
import type { Terminal } from '../terminal.js';

/**
 * Opens the project around the working directory for a command that changes it. What a killed run has left half-way is
 * put back before, unless nothing may be written.
 * @throws UserError if the project is not in order: something is pending, its record was edited, a newer version wrote it
 */
export function openForChange(terminal: Terminal, { isDryRun }: { isDryRun: boolean }): Project {
  const root = findProject(cwd());
  if (isDryRun) refuseHalfWay(root);
  else healAndTell(root, terminal);
  const project = openProject(root);
  refuseEdited(project);
  refusePending(project);
  refuseDowngrade(project);
  return project;
}

/** Puts back what a killed run has left half-way, and says so. */
export function healAndTell(root: string, terminal: Terminal): boolean {
  const healed = healProject(root);
  if (!healed) return false;
  terminal.say('An earlier run was killed half-way. Everything was put back as it was before it.');
  for (const path of healed.kept) terminal.say(`Written since, so it was kept: ${path}`);
  return true;
}

/** @throws UserError if the record is not as this program wrote it: what it says could be anybody's */
export function refuseEdited({ isIntact }: Project): void {
  if (isIntact) return;
  throw new UserError(
    `${manifestPath} was changed by hand, or git has merged two of them: its checksum does not match.`,
    1,
    'Take it from the last commit, or, after a merge: npx create-auth-service doctor --fix',
  );
}

function refusePending({ manifest: { pending } }: Project): void {
  if (pending.length === 0) return;
  throw new UserError(
    `The last change left files pending:\n${pending.map((path) => `  ${path}`).join('\n')}`,
    1,
    'When they are as they should be: npx create-auth-service upgrade --continue\n' +
      'To have everything as it was before: npx create-auth-service upgrade --abort',
  );
}

function refuseDowngrade({ manifest: { version } }: Project): void {
  if (!gt(version, generatorVersion())) return;
  throw new UserError(
    `This project was last changed by version ${version}; this is ${generatorVersion()}. Downgrades are not supported.`,
    1,
    `Run the newer one: npx create-auth-service@${version}`,
  );
}

/**
 * Emits the project's files as they were emitted, by id; nothing if another version did that.
 * @throws UserError if these answers do not exist in this version: somebody has edited them
 */
export async function renderAgain(
  catalog: Catalog,
  { version, answers }: Manifest,
): Promise<ReadonlyMap<string, Buffer>> {
  if (version !== generatorVersion()) return new Map();
  const plan = await planFromTemplates(catalog, checkAll(answersSchema(catalog), answers));
  return new Map(plan.files.map(({ id, content }) => [id, content]));
}
