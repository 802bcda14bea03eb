import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { basename, dirname } from 'node:path/posix';
import {
  addLayers,
  checkNames,
  chosenNames,
  namedLayers,
  removeLayers,
} from '../answers/change-layers.js';
import { checkAll } from '../answers/check.js';
import { type PackageManagerName, packageManagers } from '../answers/package-managers.js';
import { questionsFrom } from '../answers/questions.js';
import { type Catalog, layerNamed, neededBy } from '../catalog/catalog.js';
import { chooseLayers } from '../catalog/choose-layers.js';
import type { Layer } from '../catalog/layer.js';
import { readSources } from '../catalog/read-sources.js';
import { cancelled, UserError } from '../errors.js';
import { ownersBy } from '../plan/ownership.js';
import type { Plan } from '../plan/plan-project.js';
import type { Project } from '../project/open-project.js';
import { readProjectFile, statsWithin } from '../project/read-file.js';
import type { Terminal } from '../terminal.js';
import {
  dayOf,
  foreignKeysIn,
  isDropped,
  type Migration,
  revertible,
  tablesIn,
  tablesMigration,
} from '../upgrade/data-migrations.js';
import type { UpgradePlan } from '../upgrade/upgrade-plan.js';
import { type ChangeFlags, carryOut, checkChangeFlags } from './carry-out.js';
import { idleVariables, openForAnswers, replan } from './open-for-change.js';
import { notInPlace } from './upgrade-report.js';

/**
 * Adds methods, features and choices to the project around the working directory, with what they need.
 * @returns the exit code: 2 if somebody has to decide about something
 * @throws UserError if nothing was changed
 */
export async function add(catalog: Catalog, given: string[], flags: ChangeFlags): Promise<number> {
  checkChangeFlags(flags);
  const names = checkNames(catalog, given);
  const { project, terminal, answers } = openForAnswers(catalog, flags);
  const { answers: more, added, along } = addLayers(catalog, answers, names);
  const { next, plan } = await replan(catalog, project, more, flags);
  const notes = [
    ...along.map(({ name, neededBy }) => `${name} is added too: ${neededBy} needs it.`),
    ...names
      .filter((name) => isDeleted(name, added, plan))
      .map(flags.moves === false ? notInPlace : howToGetBack),
  ];
  const title = added.length > 0 ? `Add ${added.join(', ')}` : `${names.join(', ')}: already there`;
  const whole = withTablesAgain(catalog, plan, next, project);
  return carryOut({ project, plan: whole, title, notes }, flags, terminal);
}

/** True if the team has deleted the folder of what the answers already have. */
function isDeleted(name: string, added: string[], { deletedLayers }: UpgradePlan): boolean {
  return !added.includes(name) && deletedLayers.includes(name);
}

function howToGetBack(name: string): string {
  const command = 'npx create-auth-service';
  return `You have deleted ${name}. To get it back: ${command} remove ${name}, commit, then: ${command} add ${name}`;
}

/** A database whose tables were dropped has already run their migrations and does not run them again. */
function withTablesAgain(
  catalog: Catalog,
  plan: UpgradePlan,
  next: Plan,
  project: Project,
): UpgradePlan {
  const all = readMigrations(project, plan);
  const frozen = next.files.filter(({ owner }) => owner === 'frozen');
  const names = new Set(frozen.map(({ path }) => basename(path)));
  const dropped = all.filter((each) => names.has(basename(each.path)) && isDropped(each, all));
  if (dropped.length === 0) return plan;
  const owners = [...chosenNames(catalog, next.answers)].filter((name) => {
    const layer = layerNamed(catalog, name);
    const needed = [layer, ...neededBy(catalog, layer)];
    return layer.group !== 'choice' && needed.some((each) => brings(each, dropped));
  });
  const migration = tablesMigration('restore', owners, dropped, all, dayOf(new Date()));
  const note = `recreates ${dropped.flatMap(tablesIn).join(', ')}`;
  return withMigration(plan, migration, note, next.answers.packageManager);
}

interface RemoveFlags extends ChangeFlags {
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
  const names = checkNames(catalog, given, { isRemoval: true });
  const { project, terminal, answers } = openForAnswers(catalog, flags);
  const { answers: fewer, removed } = removeLayers(catalog, answers, names);
  const { next, plan } = await replan(catalog, project, fewer, flags);
  const all = readMigrations(project, plan);
  const emitted = pathsLeftBehind(catalog, fewer, names);
  const places = placesOf(emitted, project, plan);
  const folder = migrationsFolder(plan);
  const paths = new Set(
    [...emitted].map((path) => places.get(path) ?? `${folder}/${basename(path)}`),
  );
  const there = all.filter((each) => !isDropped(each, all));
  const behind = there.filter((each) => paths.has(each.path));
  const others = there.filter((each) => !paths.has(each.path));
  const left = revertible(behind, others);
  const tables = left.flatMap(tablesIn);
  const isDropping = flags.dropData === true && tables.length > 0;
  const title = titleOf(names, removed, isDropping);
  const needed = behind.filter((each) => !left.includes(each)).flatMap(tablesIn);
  const notes = [
    ...(needed.length > 0 ? [stayFor(needed, others, names, catalog)] : []),
    ...missingMigrations(places, all),
    ...idleVariables(project, next),
  ];
  if (!isDropping) {
    const staying = tables.length > 0 ? [stay(tables, names)] : [];
    return carryOut({ project, plan, title, notes: [...staying, ...notes] }, flags, terminal);
  }
  if (!flags.dryRun && !flags.yes) await confirmDrop(tables, terminal);
  const migration = tablesMigration('drop', names, left, all, dayOf(new Date()));
  const note = `drops ${tables.join(', ')} with all data in them when it runs`;
  const whole = withMigration(plan, migration, note, next.answers.packageManager);
  return carryOut({ project, plan: whole, title, notes }, flags, terminal);
}

/** The emitted paths of migrations whose layers are no longer chosen. */
function pathsLeftBehind(catalog: Catalog, answers: object, names: string[]): Set<string> {
  const chosen = (given: object) => chooseLayers(catalog, checkAll(questionsFrom(catalog), given));
  const staying = chosen(answers);
  const gone = chosen(addLayers(catalog, answers, names).answers).filter(
    (layer) => !staying.includes(layer),
  );
  const ownerOf = ownersBy(gone);
  const frozen = readSources(gone).filter(({ path }) => ownerOf(path) === 'frozen');
  return new Set(frozen.map(({ path }) => path));
}

/** Where the project has these files, by the path at which they were emitted: the team may have renamed them. */
function placesOf(
  emitted: ReadonlySet<string>,
  { manifest }: Project,
  { outcomes }: UpgradePlan,
): Map<string, string> {
  const places = new Map(outcomes.map(({ id, path }) => [id, path]));
  const known = manifest.files.filter(({ path }) => emitted.has(path));
  return new Map(known.map(({ id, path }) => [path, places.get(id) ?? path]));
}

/** Migrations that the team has deleted or moved elsewhere: nothing is known about their tables. */
function missingMigrations(places: ReadonlyMap<string, string>, all: Migration[]): string[] {
  const there = new Set(all.map(({ path }) => path));
  return [...places].flatMap(([path, place]) =>
    there.has(place)
      ? []
      : [`${path} is not there: its tables stay in every database that has run it.`],
  );
}

function titleOf(names: string[], removed: string[], isDropping: boolean): string {
  if (removed.length > 0) return `Remove ${removed.join(', ')}`;
  return isDropping ? `Drop the tables of ${names.join(', ')}` : `${names.join(', ')}: not there`;
}

function stay(tables: string[], names: string[]): string {
  const which =
    tables.length === 1
      ? `The table ${tables[0]} stays with its`
      : `The tables ${tables.join(', ')} stay with their`;
  return `${which} data. To drop it, run: npx create-auth-service remove ${names.join(' ')} --drop-data`;
}

/** @param others migrations, some of which have created tables that refer to these */
function stayFor(tables: string[], others: Migration[], names: string[], catalog: Catalog): string {
  const keysIn = (each: Migration) => foreignKeysIn(each).filter(({ to }) => tables.includes(to));
  const referring = others.filter((each) => keysIn(each).length > 0);
  const from = [...new Set(referring.flatMap(keysIn).map(({ table }) => table))];
  const [stay, them] = tables.length === 1 ? ['stays', 'it'] : ['stay', 'them'];
  const which = `${tables.join(', ')} ${stay}: foreign keys of ${from.join(', ')} refer to ${them}.`;
  const owners = namedLayers(catalog).filter((layer) => brings(layer, referring));
  if (owners.length === 0) return which;
  const all = [...owners.map(({ name }) => name), ...names].join(' ');
  return `${which} To drop them too, run: npx create-auth-service remove ${all} --drop-data`;
}

/** True if the layer brings one of these migrations. */
function brings({ files }: Layer, migrations: Migration[]): boolean {
  const names = new Set(migrations.map(({ path }) => basename(path)));
  return [...files().keys()].some((path) => names.has(basename(path)));
}

async function confirmDrop(tables: string[], terminal: Terminal): Promise<void> {
  const question = `A migration would drop ${tables.join(', ')}, with all data in them.`;
  if (!terminal.isInteractive) throw new UserError(question, 'Confirm with --yes.');
  const { askYesOrNo } = await import('../answers/ask.js');
  if (!(await askYesOrNo(`${question} Go on?`, terminal.output))) throw cancelled();
}

/** The plan with a migration that no template has. It belongs to the team from the start. */
function withMigration(
  plan: UpgradePlan,
  { path, text }: Migration,
  note: string,
  packageManager: PackageManagerName,
): UpgradePlan {
  const after = { content: Buffer.from(text), mode: 0o644 };
  const migrate = `${packageManagers[packageManager].run} migrate`;
  return {
    ...plan,
    changes: [{ path, before: undefined, after }, ...plan.changes],
    outcomes: [...plan.outcomes, { id: path, path, owner: 'frozen', outcome: 'added', note }],
    nextSteps: plan.nextSteps.includes(migrate) ? plan.nextSteps : [...plan.nextSteps, migrate],
  };
}

/** Where the project has its migrations: the team may have moved them. */
function migrationsFolder({ outcomes }: UpgradePlan): string {
  const frozen = outcomes.find(({ owner, outcome }) => owner === 'frozen' && outcome !== 'added');
  return frozen ? dirname(frozen.path) : 'migrations';
}

/** All migrations of a project, including the team's own, by name. */
function readMigrations({ root }: Project, plan: UpgradePlan): Migration[] {
  const folder = migrationsFolder(plan);
  if (!statsWithin(root, folder)?.isDirectory()) return [];
  return readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.ts'))
    .sort()
    .map((name) => `${folder}/${name}`)
    .map((path) => ({ path, text: readProjectFile(root, path)?.content.toString() ?? '' }));
}
