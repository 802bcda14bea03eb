import { noteContent } from './content.js';
import { migrate } from './migrate.js';
import { runOfDatabase } from './names.js';
import { findServer } from './server.js';

interface MigratedDatabase {
  url: string;
  /** Makes its rows again what migrations left; false if its tables are others by now. */
  putBack(): Promise<boolean>;
  drop(): Promise<void>;
}

/** Those that no test is using. */
const idle: MigratedDatabase[] = [];

/**
 * A database for one test, as migrations leave it: a server takes half a second to make and to drop one, and a few
 * milliseconds to delete rows, so tests of one process use it one after the other.
 */
export async function testDatabase(_folder: string) {
  const database = idle.pop() ?? (await createMigrated());
  return {
    environment: environmentAt(database.url),
    async release() {
      // Nobody writes any more, whatever the test has left open.
      await disconnectAll(database.url);
      if (await database.putBack()) idle.push(database);
      else await database.drop();
    },
  };
}

/** A database without tables, for one test alone. It is dropped with the test. */
export async function emptyDatabase(_folder: string) {
  const { url, drop } = await (await findServer()).createDatabase();
  return { environment: environmentAt(url), release: drop };
}

/** True if two connections can work at the same time. */
export async function isParallel(): Promise<boolean> {
  return !(await findServer()).isInProcess;
}

/** Ends every connection to a test's database, as a restart of the server would. */
export async function disconnectAll(url: string): Promise<void> {
  await (await findServer()).disconnectAll(url);
}

/** Drops the databases of all runs that are over. */
export async function dropDatabasesOf(isOver: (run: string) => boolean): Promise<void> {
  const server = await findServer();
  for (const name of await server.listDatabases()) {
    const run = runOfDatabase(name);
    if (run && isOver(run)) await server.dropDatabase(name);
  }
}

async function createMigrated(): Promise<MigratedDatabase> {
  const { url, drop } = await (await findServer()).createDatabase();
  await migrate(environmentAt(url));
  return { url, putBack: await noteContent(url), drop };
}

/** Few connections each, since many tests run at once on one server. */
function environmentAt(url: string) {
  return { DATABASE_URL: url, DATABASE_POOL_SIZE: '4' };
}
