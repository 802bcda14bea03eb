import { readdir, writeFile } from 'node:fs/promises';
import { readConfig } from '../config.js';
import { openDatabase } from '../db/connect.js';
import { listMigrations, migrateDown, migrateToLatest, missingMigrations } from '../db/migrate.js';
import type { Db } from '../db/schema.js';
import { now } from '../process/clock.js';
import { loadEnvFile } from '../process/environment.js';
import { createLog } from '../process/log.js';
import { print, runCommand } from './command.js';

const USAGE = `Usage: npm run migrate [-- up | down | status | new <name>]

  up          run what is pending (the default)
  down        revert the latest migration; the data of its tables is lost
  status      list all migrations and when they were executed
  new <name>  write a migration into migrations/ for you to fill in, which runs after all others`;

/** Empty, it would count as run at the next start, and never run again. */
const UNWRITTEN = `import type { Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  throw new Error('up is not written yet');
}

export async function down(db: Kysely<unknown>): Promise<void> {
  throw new Error('down is not written yet');
}
`;

const actions: Record<string, (db: Db) => Promise<void>> = {
  up: async (db) => report('up    ', await migrateToLatest(db)),
  down: async (db) => report('down  ', await migrateDown(db)),
  async status(db) {
    for (const { name, executedAt } of await listMigrations(db)) {
      print(`${executedAt ?? 'pending                 '}  ${name}`);
    }
    for (const name of await missingMigrations(db)) print(`executed, file is gone    ${name}`);
  },
};

await runCommand(async ([action = 'up', ...rest]) => {
  if (action === '--help' || action === '-h') return print(USAGE);
  if (action === 'new') return writeMigration(rest.join('_'));
  const act = Object.hasOwn(actions, action) && rest.length === 0 ? actions[action] : undefined;
  if (!act) throw new Error(`Unknown command.\n\n${USAGE}`);
  loadEnvFile(process.env);
  const config = readConfig(process.env);
  const { db } = await openDatabase(config, createLog(config));
  try {
    await act(db);
  } finally {
    await db.destroy();
  }
});

function report(direction: string, names: string[]): void {
  print(names.map((name) => direction + name).join('\n') || 'Nothing to do.');
}

/** Migrations run in the order of their names. */
async function writeMigration(words: string): Promise<void> {
  const name = words.toLowerCase().replace(/[\s-]+/g, '_');
  if (!/^[a-z]\w*$/.test(name)) throw new Error('Give a name of letters, digits and _.');
  const [latest = ''] = (await readdir('migrations')).sort().reverse();
  const path = `migrations/${dateAfter(latest)}_${name}.ts`;
  await writeFile(path, UNWRITTEN, { flag: 'wx' });
  print(path);
}

/** Today, or the day after that of the latest migration. */
function dateAfter(latest: string): string {
  const [, year, month, day] = /^(\d{4})(\d\d)(\d\d)_/.exec(latest) ?? [];
  const next = Date.UTC(Number(year), Number(month) - 1, Number(day) + 1) || 0;
  return new Date(Math.max(now(), next)).toISOString().slice(0, 10).replaceAll('-', '');
}
