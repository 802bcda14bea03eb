import { readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { type Migration, type MigrationResultSet, Migrator } from 'kysely';
import type { Db } from './schema.js';
import { forgetSteps, hasTable, resumable, withoutTimeout } from './sql.js';

/** Once built, the folder lies in `dist/`. */
const FOLDER = new URL(
  import.meta.url.endsWith('.ts') ? '../../migrations/' : './migrations/',
  import.meta.url,
);

/**
 * Runs what is pending and returns the names; if a run is interrupted, the next one continues it. Several
 * processes may call it at once: the first one locks, the others wait and then find nothing to do.
 */
export async function migrateToLatest(db: Db): Promise<string[]> {
  const unhurried = withoutTimeout(db);
  // Kysely refuses to begin beside migrations of a newer version, as after a rollback, even if nothing is pending.
  const isDone = await isMigrated(unhurried);
  const names = isDone ? [] : namesOf(await createMigrator(unhurried).migrateToLatest());
  await forgetSteps(unhurried);
  return names;
}

/** Reverts the latest migration and returns its name, if there is one. Its data is lost. */
export async function migrateDown(db: Db): Promise<string[]> {
  return namesOf(await createMigrator(withoutTimeout(db)).migrateDown());
}

/** Every migration by name, with the time it was executed (ISO 8601). */
export async function listMigrations(db: Db): Promise<{ name: string; executedAt?: string }[]> {
  const executed = await executedMigrations(db);
  const names = Object.keys(await readMigrations()).sort();
  return names.map((name) => executed.find((each) => each.name === name) ?? { name });
}

export async function pendingMigrations(db: Db): Promise<string[]> {
  const migrations = await listMigrations(db);
  return migrations.filter((migration) => !migration.executedAt).map((migration) => migration.name);
}

/** Executed migrations whose file is gone, or that a newer version brought: no other migration can run beside them. */
export async function missingMigrations(db: Db): Promise<string[]> {
  const known = Object.keys(await readMigrations());
  const executed = (await executedMigrations(db)).map(({ name }) => name);
  return executed.filter((name) => !known.includes(name));
}

/** True if no migration is pending. Rejects if the database does not answer. */
export async function isMigrated(db: Db): Promise<boolean> {
  return (await pendingMigrations(db)).length === 0;
}

async function executedMigrations(db: Db): Promise<{ name: string; executedAt: string }[]> {
  if (!(await hasTable(db, 'kysely_migration'))) return [];
  const typed = db.withTables<{ kysely_migration: { name: string; timestamp: string } }>();
  return typed.selectFrom('kysely_migration').select(['name', 'timestamp as executedAt']).execute();
}

function createMigrator(db: Db): Migrator {
  return new Migrator({
    db,
    provider: { getMigrations: readMigrations },
    // A feature added later brings migrations that are older than the newest one here. None of them
    // touches another feature's tables, so the order between features does not matter.
    allowUnorderedMigrations: true,
  });
}

/** Every module of the folder, by its name. */
async function readMigrations(): Promise<Record<string, Migration>> {
  const migrations: Record<string, Migration> = {};
  for (const file of await readdir(fileURLToPath(FOLDER))) {
    const name = /^(.+)\.[jt]s$/.exec(file)?.[1];
    if (!name) continue;
    const { href } = new URL(file, FOLDER);
    // A file is imported only when it runs: at nearly every start none does.
    const migration: Migration = {
      up: async (db) => (await import(href)).up(db),
      down: async (db) => (await import(href)).down?.(db),
    };
    migrations[name] = resumable(name, migration);
  }
  return migrations;
}

function namesOf({ error, results = [] }: MigrationResultSet): string[] {
  const failed = results.find((result) => result.status === 'Error');
  if (failed) throw new Error(`Migration ${failed.migrationName} failed`, { cause: error });
  if (error) throw error;
  return results.map((result) => result.migrationName);
}
