import { join } from 'node:path';
import { answersFromFlags } from '../answers/check.js';
import type { FlagValues } from '../answers/flags.js';
import { packageManagers } from '../answers/package-managers.js';
import { packageNameRemark } from '../answers/project-name.js';
import { type Answers, questionsFrom } from '../answers/questions.js';
import type { Catalog } from '../catalog/catalog.js';
import { UserError } from '../errors.js';
import type { Project } from '../project/open-project.js';
import { statsOf } from '../project/read-file.js';
import { type ChangeFlags, carryOut, checkChangeFlags } from './carry-out.js';
import { idleVariables, openForAnswers, replan } from './open-for-change.js';

/**
 * Changes what a project has exactly one of: framework, database, package manager, name.
 * @returns the exit code: 2 if somebody has to decide about something
 * @throws UserError if nothing was changed
 */
export async function change(catalog: Catalog, flags: ChangeFlags & FlagValues): Promise<number> {
  checkChangeFlags(flags);
  const questions = questionsFrom(catalog);
  const given = answersFromFlags(questions, flags);
  const asked = questions.filter(({ key }) => given[key] !== undefined);
  if (asked.length === 0)
    throw new UserError(
      'Name what to change: --framework, --database, --package-manager or --name.',
    );
  const { project, terminal, answers } = openForAnswers(catalog, flags);
  const { plan, next } = await replan(catalog, project, { ...answers, ...given }, flags);
  const isMoving = given.database !== undefined && given.database !== answers.database;
  const { run } = packageManagers[next.answers.packageManager];
  const isRun = (step: string) => Number(step.startsWith(`${run} `));
  // The new database has to run before migrations and tests do.
  const nextSteps = isMoving
    ? [...plan.nextSteps, ...next.nextSteps].sort((one, other) => isRun(one) - isRun(other))
    : plan.nextSteps;
  const title = `Change ${asked.map(({ key, title }) => `${title.toLowerCase()} to ${given[key]}`).join(', ')}`;
  const notes = [...notesOn(project, answers, given), ...idleVariables(project, next)];
  return carryOut({ project, plan: { ...plan, nextSteps }, title, notes }, flags, terminal);
}

/** What the team has to do itself, because no template can. */
function notesOn({ root }: Project, before: Answers, given: Partial<Answers>): string[] {
  const isOther = (key: keyof Answers) => given[key] !== undefined && given[key] !== before[key];
  const { lockfile } = packageManagers[before.packageManager];
  return [
    ...packageNameRemark(given.name ?? ''),
    ...(isOther('database')
      ? ['No data moves: the new database starts empty. Change its variables in .env yourself.']
      : []),
    ...(isOther('packageManager') && statsOf(join(root, lockfile))
      ? [`Delete the lock file of the old package manager: ${lockfile}`]
      : []),
  ];
}
