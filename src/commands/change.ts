import { checkAll, checkAnswers } from '../answers/check.js';
import { answersFromFlags, type FlagValues } from '../answers/flags.js';
import { packageManagers } from '../answers/package-managers.js';
import { packageNameRemark } from '../answers/project-name.js';
import { type Answers, questionsFrom } from '../answers/questions.js';
import type { Catalog } from '../catalog/catalog.js';
import { UserError } from '../errors.js';
import { generatorVersion } from '../package-root.js';
import type { Project } from '../project/open-project.js';
import { openTerminal, type Terminal } from '../terminal.js';
import { type ChangeFlags, carryOut, checkChangeFlags } from './carry-out.js';
import { openForChange, replan } from './open-for-change.js';

/**
 * Changes what a project has exactly one of: framework, database, package manager, name.
 * @returns the exit code: 2 if somebody has to decide about something
 * @throws UserError if nothing was changed
 */
export async function change(catalog: Catalog, flags: ChangeFlags & FlagValues): Promise<number> {
  checkChangeFlags(flags);
  const questions = questionsFrom(catalog);
  const given = checkAnswers(questions, answersFromFlags(questions, flags));
  const asked = questions.filter(({ key }) => given[key] !== undefined);
  if (asked.length === 0)
    throw new UserError(
      'Name what to change: --framework, --database, --package-manager or --name.',
    );
  const terminal = openTerminal(flags);
  const { project, answers } = openForAnswers(catalog, terminal, flags.dryRun === true);
  const { plan } = await replan(catalog, project, { ...answers, ...given }, flags);
  const title = `Change ${asked.map(({ key, title }) => `${title.toLowerCase()} to ${given[key]}`).join(', ')}`;
  return carryOut({ project, plan, title, notes: notesOn(answers, given) }, flags, terminal);
}

/** What the team has to do itself, because no template can. */
function notesOn(before: Answers, given: Partial<Answers>): string[] {
  const isOther = (key: keyof Answers) => given[key] !== undefined && given[key] !== before[key];
  const { lockfile } = packageManagers[before.packageManager];
  return [
    ...packageNameRemark(given.name ?? ''),
    ...(isOther('database')
      ? ['No data moves: the new database starts empty. Change its variables in .env yourself.']
      : []),
    ...(isOther('packageManager')
      ? [`Delete the lock file of the old package manager: ${lockfile}`]
      : []),
  ];
}

/** A project whose answers may be changed, and what they are now. */
interface Changeable {
  project: Project;
  answers: Answers;
}

/**
 * Opens the project around the working directory for another set of answers.
 * @throws UserError as `openForChange` does, and if another version made it: the two changes would be indistinguishable
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
      'First: npx create-auth-service upgrade',
    );
  }
  return { project, answers: checkAll(questionsFrom(catalog), project.manifest.answers) };
}
