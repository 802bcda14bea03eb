import { checkAll } from '../answers/check.js';
import { type Answers, answersSchema } from '../answers/schema.js';
import type { Catalog } from '../catalog/catalog.js';
import { UserError } from '../errors.js';
import { generatorVersion } from '../package-root.js';
import { planFromTemplates } from '../plan/plan-from-templates.js';
import type { Plan } from '../plan/plan-project.js';
import type { Project } from '../project/open-project.js';
import { readUpgradeInput } from '../project/read-upgrade-input.js';
import type { Terminal } from '../terminal.js';
import { planUpgrade } from '../upgrade/plan-upgrade.js';
import type { UpgradePlan } from '../upgrade/upgrade-plan.js';
import { openForChange } from './open-for-change.js';
import { renderAgain } from './render-again.js';

/** A project whose answers may be changed, and what they are now. */
export interface Changeable {
  project: Project;
  answers: Answers;
}

/**
 * Opens the project around the working directory for another set of answers.
 * @throws UserError as `openForChange` does, and if another version made it: two changes at once could not be told apart
 */
export function openForAnswers(
  catalog: Catalog,
  terminal: Terminal,
  isDryRun: boolean,
): Changeable {
  const project = openForChange(terminal, { isDryRun });
  const made = project.manifest.version;
  if (made !== generatorVersion()) {
    throw new UserError(
      `This project was last brought up to date by ${made}; this is ${generatorVersion()}.`,
      1,
      'First: create-auth-service upgrade',
    );
  }
  return { project, answers: checkAll(answersSchema(catalog), project.manifest.answers) };
}

/** What other answers would make of the project. @throws UserError if they contradict each other */
export async function planAnswers(
  catalog: Catalog,
  project: Project,
  answers: object,
): Promise<{ next: Plan; plan: UpgradePlan }> {
  const next = await planFromTemplates(catalog, checkAll(answersSchema(catalog), answers));
  const again = () => renderAgain(catalog, project.manifest);
  const plan = await planUpgrade(await readUpgradeInput(project, next, again));
  return { next, plan };
}
