import { readConfig } from '../config.js';
import { migrateToLatest, pendingMigrations } from '../db/migrate.js';
import { loadEnvFile } from '../process/environment.js';
import { closeServices, createServices, type Services } from '../services.js';

/** Writes one line to standard output. */
export function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

/**
 * Runs a command with the arguments of this process. A failure ends it with code 1 and its message;
 * the stack is of use to nobody at a terminal.
 */
export async function runCommand(command: (args: string[]) => Promise<void>): Promise<void> {
  // `| head` has read enough: that must not end the work half-way.
  process.stdout.on('error', () => {});
  try {
    await command(process.argv.slice(2));
  } catch (error) {
    process.stderr.write(`${messageOf(error)}\n`);
    process.exitCode = 1;
  }
}

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message}\n${error.cause.message}` : error.message;
}

/** Runs `work` on the service's database without listening. Throws if migrations are pending. */
export async function withServices(work: (services: Services) => Promise<void>): Promise<void> {
  loadEnvFile(process.env);
  const services = await createServices(readConfig(process.env));
  try {
    await requireTables(services);
    await work(services);
  } finally {
    await closeServices(services);
  }
}

async function requireTables({ config, db }: Services): Promise<void> {
  if (config.MIGRATE_ON_START) await migrateToLatest(db);
  const pending = await pendingMigrations(db);
  if (pending.length > 0) throw new Error('Migrations are pending: run migrate up first.');
}
