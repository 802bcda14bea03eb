import { addLayers } from '../answers/add-layers.js';
import { checkNames } from '../answers/check-names.js';
import type { Catalog } from '../catalog/catalog.js';
import type { Plan } from '../plan/plan-project.js';
import type { Project } from '../project/open-project.js';
import { readMigrations } from '../project/read-migrations.js';
import { openTerminal } from '../terminal.js';
import { dayOf, isDropped, restoreTables, tablesIn } from '../upgrade/data-migrations.js';
import type { UpgradePlan } from '../upgrade/upgrade-plan.js';
import { type ChangeFlags, carryOut, checkChangeFlags } from './carry-out.js';
import { openForAnswers, planAnswers } from './change-answers.js';
import { suggestedSecrets } from './dot-env-notes.js';
import { withMigration } from './with-migration.js';

/**
 * Adds methods, features and choices to the project around the working directory, with what they need.
 * @returns the exit code: 2 if somebody has to decide about something
 * @throws UserError if nothing was changed
 */
export async function add(catalog: Catalog, given: string[], flags: ChangeFlags): Promise<number> {
  checkChangeFlags(flags);
  const names = checkNames(catalog, given);
  const terminal = openTerminal(flags);
  const { project, answers } = openForAnswers(catalog, terminal, flags.dryRun === true);
  const { answers: more, added, along } = addLayers(catalog, answers, names);
  const { next, plan } = await planAnswers(catalog, project, more);
  const notes = [
    ...along.map(({ name, neededBy }) => `${name} comes along: ${neededBy} needs it.`),
    ...suggestedSecrets(project, next),
  ];
  const title = added.length > 0 ? `Add ${added.join(', ')}` : `${names.join(', ')}: there already`;
  const whole = withTablesAgain(plan, next, project, added);
  return carryOut({ project, plan: whole, title, notes }, flags, terminal);
}

/** A database in which the tables were dropped has run their migrations, and does not run them again. */
function withTablesAgain(
  plan: UpgradePlan,
  next: Plan,
  project: Project,
  added: string[],
): UpgradePlan {
  const all = readMigrations(project);
  const frozen = new Set(
    next.files.filter(({ owner }) => owner === 'frozen').map(({ path }) => path),
  );
  const dropped = all.filter((each) => frozen.has(each.path) && isDropped(each, all));
  if (dropped.length === 0) return plan;
  const migration = restoreTables(added, dropped, all, dayOf(new Date()));
  const note = `makes ${dropped.flatMap(tablesIn).join(', ')} again`;
  return withMigration(plan, migration, note, next.answers.packageManager);
}
