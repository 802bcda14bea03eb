import { checkAnswers } from '../answers/check.js';
import { answersFromFlags, type FlagValues } from '../answers/flags.js';
import { packageManagers } from '../answers/package-managers.js';
import { type Answers, answersSchema, questionsOf } from '../answers/schema.js';
import type { Catalog } from '../catalog/catalog.js';
import { UserError } from '../errors.js';
import { openTerminal } from '../terminal.js';
import { type ChangeFlags, carryOut, checkChangeFlags } from './carry-out.js';
import { openForAnswers, planAnswers } from './change-answers.js';

/**
 * Changes what a project has exactly one of: framework, database, package manager, name.
 * @returns the exit code: 2 if somebody has to decide about something
 * @throws UserError if nothing was changed
 */
export async function change(catalog: Catalog, flags: ChangeFlags & FlagValues): Promise<number> {
  checkChangeFlags(flags);
  const schema = answersSchema(catalog);
  const given = checkAnswers(schema, answersFromFlags(questionsOf(schema), flags));
  const asked = questionsOf(schema).filter(([key]) => given[key] !== undefined);
  if (asked.length === 0)
    throw new UserError('Say what: --framework, --database, --package-manager or --name.');
  const terminal = openTerminal(flags);
  const { project, answers } = openForAnswers(catalog, terminal, flags.dryRun === true);
  const { plan } = await planAnswers(catalog, project, { ...answers, ...given });
  const title = `Change ${asked.map(([key, about]) => `${about.title.toLowerCase()} to ${given[key]}`).join(', ')}`;
  return carryOut({ project, plan, title, notes: notesOn(answers, given) }, flags, terminal);
}

/** What no template can do. */
function notesOn(before: Answers, given: Partial<Answers>): string[] {
  const isOther = (key: keyof Answers) => given[key] !== undefined && given[key] !== before[key];
  const { lockfile } = packageManagers[before.packageManager];
  return [
    ...(isOther('database')
      ? ['No data moves: the new database begins empty. Its variables in .env are yours to change.']
      : []),
    ...(isOther('packageManager')
      ? [`The lock file of the former one goes by hand: ${lockfile}`]
      : []),
  ];
}
