import { migrateToLatest, pendingMigrations } from '../db/migrate.js';
import { loadEnvFile } from '../environment/env-file.js';
import { readConfig } from '../environment/read-config.js';
import { closeServices, createServices, type Services } from '../services.js';

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
