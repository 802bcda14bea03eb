import { basename, dirname } from 'node:path/posix';
import { UserError } from '../errors.js';
import { camel } from '../plan/list-context.js';

/** A database may keep a table `unfinished_<name>` while one runs, and allow 64 characters in the name of a table. */
const longestName = 53;

/** A migration of the project: its path relative to the project, and its text. */
export interface Migration {
  path: string;
  text: string;
}

const migrationName = /^(\d{8})\D.*\.ts$/;
/** The names of migrations made here, which drop tables or create them again. */
const ofTheirTables = /^\d{8}_(drop|restore)_\w+\.ts$/;

/** The tables that a migration creates, according to its text. */
export function tablesIn({ text }: Migration): string[] {
  return [...text.matchAll(/\.createTable\(\s*['"](\w+)['"]/g)].map(([, name = '']) => name);
}

/** The foreign keys of the tables that a migration creates or changes, according to its text. */
export function foreignKeysIn({ text }: Migration): { table: string; to: string }[] {
  return text.split(/\.(?:create|alter)Table\(\s*['"]/).flatMap((part) => {
    const [table = ''] = /^\w*/.exec(part) ?? [];
    const keys = part.matchAll(/\]\s*,\s*['"](\w+)['"]\s*,\s*\[|\.references\(\s*['"](\w+)\./g);
    return [...keys].map(([, named, before = '']) => ({ table, to: named ?? before }));
  });
}

/**
 * Those of these migrations that can be reverted: no table of others refers to theirs. SQLite would delete the rows that
 * refer to a dropped table; other databases refuse to drop it.
 */
export function revertible(migrations: Migration[], others: Migration[]): Migration[] {
  const needed = new Set(others.flatMap(foreignKeysIn).map(({ to }) => to));
  const isNeeded = (each: Migration) => tablesIn(each).some((table) => needed.has(table));
  const staying = migrations.filter(isNeeded);
  const rest = migrations.filter((each) => !isNeeded(each));
  // What stays may refer to tables of the rest.
  return staying.length === 0 ? rest : revertible(rest, staying);
}

/**
 * True if a migration of `tablesMigration` dropped this migration's tables, and none has created them again since.
 * @param all migrations of the project, sorted by name
 */
export function isDropped(migration: Migration, all: Migration[]): boolean {
  // Without quotes: a formatter may have changed them.
  const named = `./${moduleOf(migration)}`;
  const last = all.findLast(
    ({ path, text }) => ofTheirTables.test(basename(path)) && text.includes(named),
  );
  return last !== undefined && /^\d{8}_drop_/.test(basename(last.path));
}

/**
 * A migration that drops the tables of others by reverting them, latest first, so that tables that refer to another one
 * go before it; or one that creates them again, because a database has already run the others. The others stay: they
 * are all it needs to know about the tables.
 * @param names of the layers that own the tables
 * @param migrations the others, sorted by name
 * @param all migrations of the project: it comes after them
 * @param today `YYYYMMDD`
 */
export function tablesMigration(
  does: 'drop' | 'restore',
  names: string[],
  migrations: Migration[],
  all: Migration[],
  today: string,
): Migration {
  const tables = migrations.flatMap(tablesIn).join(', ');
  const imports = migrations.map(
    (each) => `import * as ${nameIn(each)} from './${moduleOf(each)}';`,
  );
  const half = (which: string, direction: 'up' | 'down', comment: string) => {
    const ordered = direction === 'up' ? migrations : migrations.toReversed();
    const calls = ordered.map((each) => `  await ${nameIn(each)}.${direction}(db);`);
    const head = `export async function ${which}(db: Kysely<unknown>): Promise<void> {`;
    return ['', `/** ${comment} */`, head, ...calls, '}'];
  };
  const halves =
    does === 'drop'
      ? [
          ...half('up', 'down', `Drops ${tables}, with all data in them.`),
          ...half('down', 'up', 'Creates the tables again, without the data.'),
        ]
      : [
          ...half('up', 'up', `Recreates ${tables}, which an earlier migration dropped.`),
          ...half('down', 'down', 'Drops them, with all data in them.'),
        ];
  const called = `${dayAfterAll(all, today)}_${does}_${names.join('_').replaceAll('-', '_')}`;
  return {
    path: `${dirname(migrations[0]?.path ?? '')}/${called.slice(0, longestName)}.ts`,
    text: `${["import type { Kysely } from 'kysely';", ...imports, ...halves].join('\n')}\n`,
  };
}

/**
 * Today, or the first day that sorts the name after those of all existing migrations.
 * @throws UserError if there is no such day: it would run before the migrations it refers to
 */
function dayAfterAll(all: Migration[], today: string): string {
  const days = all.map(({ path }) => migrationName.exec(basename(path))?.[1] ?? '');
  const latest = days.sort().at(-1) ?? '';
  const day = latest < today ? today : nextDay(latest);
  if (/^\d{8}$/.test(day)) return day;
  throw new UserError(
    `No migration can come after that of ${latest}.`,
    'No later date has eight digits. Give that migration an earlier date, if no database has run it.',
  );
}

function nextDay(day: string): string {
  const date = Date.UTC(
    Number(day.slice(0, 4)),
    Number(day.slice(4, 6)) - 1,
    Number(day.slice(6)) + 1,
  );
  return dayOf(new Date(date));
}

/** `YYYYMMDD`, in UTC: the same day for everybody. */
export function dayOf(date: Date): string {
  return date.toISOString().slice(0, 10).replaceAll('-', '');
}

function nameIn({ path }: Migration): string {
  // The team may have given it a name of another form.
  return camel(
    basename(path, '.ts')
      .replace(/^[\d\W_]+/, '')
      .replace(/[\W_]+/g, '-'),
  );
}

function moduleOf({ path }: Migration): string {
  return basename(path).replace(/\.ts$/, '.js');
}
