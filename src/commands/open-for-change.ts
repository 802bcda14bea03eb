import { checkAll } from '../answers/check.js';
import { questionsFrom } from '../answers/questions.js';
import type { Catalog } from '../catalog/catalog.js';
import { readDotEnv } from '../doctor/dot-env.js';
import { UserError } from '../errors.js';
import { generatorVersion } from '../package-root.js';
import { gt } from '../packages/semver.js';
import type { EnvVariable } from '../plan/env-example.js';
import { manifestPath } from '../plan/manifest.js';
import { type Plan, planFromTemplates } from '../plan/plan-project.js';
import { healProject, refuseHalfWay } from '../project/changes/heal-project.js';
import { findProject, openProject, type Project } from '../project/open-project.js';
import { readUpgradeInput } from '../project/read-upgrade-input.js';
import { secretCommand } from '../project/secrets.js';
import { openTerminal, type Terminal } from '../terminal.js';
import { planUpgrade } from '../upgrade/plan-upgrade.js';
import type { UpgradePlan } from '../upgrade/upgrade-plan.js';
import type { ChangeFlags } from './carry-out.js';

/**
 * Opens the project around the working directory for a command that changes it. What a killed run has left half done
 * is undone first, unless nothing may be written.
 * @throws UserError if the project is not in order: something is pending, its record was edited, a newer version wrote
 *   it
 */
export function openForChange(flags: ChangeFlags) {
  const terminal = openTerminal(flags);
  const root = findProject(process.cwd());
  if (flags.dryRun) refuseHalfWay(root);
  else undoKilledRun(root, terminal);
  const project = openProject(root);
  refuseEdited(project);
  refusePending(project);
  refuseDowngrade(project);
  return { project, terminal };
}

/**
 * Opens the project around the working directory for another set of answers.
 * @throws UserError as `openForChange` does, and if another version made it: the two changes would be indistinguishable
 */
export function openForAnswers(catalog: Catalog, flags: ChangeFlags) {
  const { project, terminal } = openForChange(flags);
  const made = project.manifest.version;
  if (made !== generatorVersion()) {
    throw new UserError(
      `This project was last brought up to date by ${made}; this is ${generatorVersion()}.`,
      'First: npx create-auth-service upgrade',
    );
  }
  const answers = checkAll(questionsFrom(catalog), project.manifest.answers);
  return { project, terminal, answers };
}

/** Undoes what a killed run has left half done, and says so. */
export function undoKilledRun(root: string, terminal: Terminal): boolean {
  const kept = healProject(root);
  if (!kept) return false;
  terminal.say('An earlier run was killed half-way. Its changes have been undone.');
  for (const path of kept) terminal.say(`Changed since then, so it was kept: ${path}`);
  return true;
}

/** @throws UserError if the record is not as this program wrote it: then nothing in it can be trusted */
export function refuseEdited({ isIntact }: Project): void {
  if (isIntact) return;
  throw new UserError(
    `${manifestPath} was changed by hand, or git has merged two of them: its checksum does not match.`,
    'Restore it from the last commit or, after a merge, run: npx create-auth-service doctor --fix',
  );
}

function refusePending({ manifest: { pending } }: Project): void {
  if (pending.length === 0) return;
  throw new UserError(
    `The last change left files pending:\n${pending.map((path) => `  ${path}`).join('\n')}`,
    'When they are resolved: npx create-auth-service upgrade --continue\n' +
      'To undo the change: npx create-auth-service upgrade --abort',
  );
}

/** @throws UserError if a newer version wrote the project */
export function refuseDowngrade({ manifest: { version } }: Project): void {
  if (!gt(version, generatorVersion())) return;
  throw new UserError(
    `This project was last changed by version ${version}; this is ${generatorVersion()}. Downgrades are not supported.`,
    `Run the same command with that version: npx create-auth-service@${version} …\nOr bring the project up to date first: npx create-auth-service@latest upgrade`,
  );
}

/**
 * Plans a project again with these answers; nothing is written.
 * @throws UserError if the answers contradict each other, or something is in a file's place
 */
export async function replan(
  catalog: Catalog,
  project: Project,
  answers: unknown,
  { moves = true, commit = false }: ChangeFlags = {},
): Promise<{ next: Plan; plan: UpgradePlan }> {
  const next = planNext(catalog, project, answers);
  const input = await readUpgradeInput(catalog, project, next, moves);
  const plan = planUpgrade({ ...input, commit });
  return { next, plan: { ...plan, nextSteps: withoutSecretsThere(project, plan.nextSteps) } };
}

/** This version may lack what another offered, or need more: only that one can change the answers. */
function planNext(catalog: Catalog, { manifest: { version } }: Project, answers: unknown): Plan {
  try {
    return planFromTemplates(catalog, answers);
  } catch (error) {
    if (!(error instanceof UserError) || version === generatorVersion()) throw error;
    const program = `npx create-auth-service@${version}`;
    throw new UserError(
      error.message,
      `Change that with the version that made the project, then upgrade: ${program} add …, or ${program} remove …`,
    );
  }
}

/** Steps without those that draw a secret which `.env` has: a second one would replace what stored data needs. */
export function withoutSecretsThere(project: Project, steps: string[]): string[] {
  const there = Object.entries(readDotEnv(project).values ?? {}).filter(([, value]) => value);
  const drawn = there.map(([name]) => secretCommand(name.replace(/_FILE$/, '')));
  return steps.filter((step) => !drawn.includes(step));
}

/** Variables of `.env` that are no longer read. */
export function idleVariables(project: Project, { env }: Plan): string[] {
  const { values = {}, variables } = readDotEnv(project, project.manifest.files);
  const read = new Set(env.map(({ name }) => name));
  const idle = variables.filter(({ name }) => name in values && !read.has(name));
  const named = (all: EnvVariable[]) => all.map(({ name }) => name).join(', ');
  const secrets = idle.filter(({ isSecret }) => isSecret);
  return [
    ...(idle.length > 0
      ? [`No longer read from .env, unless your own code does: ${named(idle)}`]
      : []),
    ...(secrets.length > 0 ? [`Keep ${named(secrets)}: stored data may need it again.`] : []),
  ];
}
