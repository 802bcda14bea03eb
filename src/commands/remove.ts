import { addLayers } from '../answers/add-layers.js';
import { checkAll } from '../answers/check.js';
import { checkNames } from '../answers/check-names.js';
import { removeLayers } from '../answers/remove-layers.js';
import { answersSchema } from '../answers/schema.js';
import type { Catalog } from '../catalog/catalog.js';
import { chooseLayers } from '../catalog/choose-layers.js';
import { readSources } from '../catalog/read-sources.js';
import { cancelled, UserError } from '../errors.js';
import { ownersBy } from '../plan/ownership.js';
import type { Project } from '../project/open-project.js';
import { readMigrations } from '../project/read-migrations.js';
import { openTerminal, type Terminal } from '../terminal.js';
import {
  dayOf,
  dropTables,
  isDropped,
  type Migration,
  tablesIn,
} from '../upgrade/data-migrations.js';
import { type ChangeFlags, carryOut, checkChangeFlags } from './carry-out.js';
import { openForAnswers, planAnswers } from './change-answers.js';
import { idleVariables } from './dot-env-notes.js';
import { withMigration } from './with-migration.js';

export interface RemoveFlags extends ChangeFlags {
  dropData?: boolean;
  yes?: boolean;
}

/**
 * Removes methods, features and choices from the project around the working directory. Their migrations stay; with
 * `--drop-data` a new one drops their tables.
 * @returns the exit code: 2 if somebody has to decide about something
 * @throws UserError if nothing was changed
 */
export async function remove(
  catalog: Catalog,
  given: string[],
  flags: RemoveFlags,
): Promise<number> {
  checkChangeFlags(flags);
  const names = checkNames(catalog, given);
  const terminal = openTerminal(flags);
  const { project, answers } = openForAnswers(catalog, terminal, flags.dryRun === true);
  const { answers: fewer, removed } = removeLayers(catalog, answers, names);
  const { next, plan } = await planAnswers(catalog, project, fewer);
  const all = readMigrations(project);
  const paths = pathsLeftBehind(catalog, fewer, names);
  const left = all.filter((each) => paths.has(each.path) && !isDropped(each, all));
  const tables = left.flatMap(tablesIn);
  const title = titleOf(names, removed, flags.dropData === true && tables.length > 0);
  const notes = [...missingMigrations(project, paths, all), ...idleVariables(project, next)];
  if (!flags.dropData || tables.length === 0) {
    const staying = tables.length > 0 ? [stay(tables, names)] : [];
    return carryOut({ project, plan, title, notes: [...staying, ...notes] }, flags, terminal);
  }
  if (!flags.dryRun && !flags.yes) await confirmDrop(tables, terminal);
  const migration = dropTables(names, left, all, dayOf(new Date()));
  const note = `drops ${tables.join(', ')} with all data in them when it runs`;
  const whole = withMigration(plan, migration, note, next.answers.packageManager);
  return carryOut({ project, plan: whole, title, notes }, flags, terminal);
}

/** Where the migrations of what is not chosen any more were emitted. */
function pathsLeftBehind(catalog: Catalog, answers: object, names: string[]): Set<string> {
  const chosen = (given: object) => chooseLayers(catalog, checkAll(answersSchema(catalog), given));
  const staying = chosen(answers);
  const gone = chosen(addLayers(catalog, answers, names).answers).filter(
    (layer) => !staying.includes(layer),
  );
  const ownerOf = ownersBy(gone);
  const frozen = readSources(gone).filter(({ path }) => ownerOf(path) === 'frozen');
  return new Set(frozen.map(({ path }) => path));
}

/** Those that the team has deleted or moved: nothing is known of their tables. */
function missingMigrations(
  { manifest }: Project,
  paths: ReadonlySet<string>,
  all: Migration[],
): string[] {
  const there = new Set(all.map(({ path }) => path));
  const emitted = manifest.files.filter(({ path }) => paths.has(path) && !there.has(path));
  return emitted.map(
    ({ path }) => `${path} is not there: its tables stay in every database that has run it.`,
  );
}

function titleOf(names: string[], removed: string[], isDropping: boolean): string {
  if (removed.length > 0) return `Remove ${removed.join(', ')}`;
  return isDropping ? `Drop the tables of ${names.join(', ')}` : `${names.join(', ')}: not there`;
}

function stay(tables: string[], names: string[]): string {
  const which =
    tables.length === 1 ? `The table ${tables[0]} stays` : `The tables ${tables.join(', ')} stay`;
  return `${which}, with all data. To drop: create-auth-service remove ${names.join(' ')} --drop-data`;
}

async function confirmDrop(tables: string[], terminal: Terminal): Promise<void> {
  const question = `A migration is to drop ${tables.join(', ')}, with all data in them.`;
  if (!terminal.isInteractive) throw new UserError(question, 1, 'If that is meant, say --yes.');
  const { askYesOrNo } = await import('../answers/prompts.js');
  if (!(await askYesOrNo(`${question} Go on?`, terminal.output))) throw cancelled();
}
