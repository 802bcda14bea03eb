import { createApp } from '../app.js';
import { type Config, warningsOf } from '../config.js';
import { isMigrated, migrateToLatest, pendingMigrations } from '../db/migrate.js';
import { listen } from '../http/listen.js';
import {
  closeServices,
  createServices,
  type OwnServices,
  type Services,
  startWorkers,
  stopWorkers,
} from '../services.js';
import { bootstrapAdmin } from './administrators.js';

/** Config → services → app → listen. Throws if the database or the port is not available. */
export async function startService(config: Config, own: OwnServices = {}) {
  const services = await createServices(config, own);
  for (const warning of warningsOf(config)) services.log.warn(warning);
  await migrate(services);
  // `migrate up` may also run beside the service.
  const isReady = () => isMigrated(services.db).catch(() => false);
  const waiting = setInterval(() => services.background.run('bootstrap', bootstrap), 1_000);
  async function bootstrap() {
    if (!(await isReady())) return;
    clearInterval(waiting);
    await bootstrapAdmin(services);
  }
  await bootstrap();
  const server = await listen(createApp(services), services);
  const clean = async () => (await isReady()) && cleanUp(services);
  // Soon after the start, too: where instances come and go, none may live for an hour.
  const timers = [waiting, setTimeout(clean, 60_000), setInterval(clean, 60 * 60_000)];
  for (const timer of timers) timer.unref();
  await startWorkers(services);
  // Where mails lead too: for 127.0.0.1 a browser has other cookies than for `localhost`.
  const local = `http://localhost:${new URL(server.url).port}`;
  const url = config.BASE_URL === local ? local : server.url;
  services.log.info({ url }, `ready at ${url}`);
  return {
    /** Where it listens, with the port that was actually taken. */
    url: server.url,
    services,
    /** Finishes requests in flight, then closes the database. */
    async close() {
      for (const timer of timers) clearInterval(timer);
      await Promise.all([server.close(), stopWorkers(services)]);
      await closeServices(services);
    },
  };
}

/** Deletes what has expired, in the background. Call it every hour where the service is part of an app of your own. */
export function cleanUp(services: Services): void {
  for (const { name, cleanUp } of services.features) {
    if (cleanUp) services.background.run(`clean-up of ${name}`, () => cleanUp(services));
  }
}

/** Brings the database up to date, or warns: until it is, `/readyz` answers 503. */
async function migrate({ config, db, log }: Services): Promise<void> {
  if (config.MIGRATE_ON_START) {
    const done = await migrateToLatest(db);
    if (done.length > 0) log.info({ migrations: done }, 'migrated');
  } else if (!(await isMigrated(db))) {
    log.warn({ migrations: await pendingMigrations(db) }, 'pending migrations: run migrate up');
  }
}
