import { readConfig } from '../config.js';
import { openDatabase } from '../db/connect.js';
import { listMigrations, migrateDown, migrateToLatest } from '../db/migrate.js';
import type { Db } from '../db/schema.js';
import { loadEnvFile } from '../process/environment.js';
import { createLog } from '../process/log.js';
import { print, runCommand } from './command.js';

const USAGE = `Usage: npm run migrate [-- up | down | status]

  up      run what is pending (the default)
  down    take back the latest migration; the data of its tables is lost
  status  list all migrations and when they were executed`;

const actions: Record<string, (db: Db) => Promise<void>> = { up, down, status };

await runCommand(async ([action = 'up', ...rest]) => {
  if (action === '--help' || action === '-h') return print(USAGE);
  const act = Object.hasOwn(actions, action) && rest.length === 0 ? actions[action] : undefined;
  if (!act) throw new Error(`There is no such command.\n\n${USAGE}`);
  loadEnvFile(process.env);
  const config = readConfig(process.env);
  const database = await openDatabase(config, createLog(config));
  try {
    await act(database.db);
  } finally {
    await database.close();
  }
});

async function up(db: Db): Promise<void> {
  report('up    ', await migrateToLatest(db));
}

async function down(db: Db): Promise<void> {
  report('down  ', await migrateDown(db));
}

function report(direction: string, names: string[]): void {
  const lines = names.map((name) => direction + name);
  print(lines.length === 0 ? 'Nothing to do.' : lines.join('\n'));
}

async function status(db: Db): Promise<void> {
  for (const { name, executedAt } of await listMigrations(db)) {
    print(`${executedAt?.toISOString() ?? 'pending                 '}  ${name}`);
  }
}
