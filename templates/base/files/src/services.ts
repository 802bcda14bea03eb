import { type Background, createBackground } from './background.js';
import type { Config } from './config.js';
import { type OpenDatabase, openDatabase } from './db/connect.js';
import type { Db } from './db/schema.js';
import { createEventBus, type EventBus, holdEvents, type Subscriber } from './events/bus.js';
import { featureSubscribers } from './events/feature-subscribers.js';
import { subscribers } from './events/subscribers.js';
import { createLimiter, type Limiter } from './http/limiter.js';
import { createLog, type Log } from './log.js';
import { createMailer, type Mailer } from './mail/mailer.js';
import { createKeys, type Keys } from './session/keys.js';
import { createStores, type Stores } from './stores.js';

/** Everything that a handler may use; built once, at the start. */
export interface Services extends Stores {
  config: Config;
  log: Log;
  database: OpenDatabase;
  db: Db;
  keys: Keys;
  mailer: Mailer;
  events: EventBus;
  limiter: Limiter;
  background: Background;
}

/** Parts that a test, or a team, brings along instead of the configured ones. */
export interface OwnParts extends Partial<Pick<Services, 'log' | 'mailer'>> {
  /** Told of every event, beside those of `events/subscribers.ts`. */
  subscribers?: Subscriber[];
}

/** Opens the database and builds the services on it. Throws if the database cannot be opened. */
export async function createServices(config: Config, own: OwnParts = {}): Promise<Services> {
  const log = own.log ?? createLog(config);
  const database = await openDatabase(config, log);
  const background = createBackground(log);
  const events = createEventBus(log, background);
  const services: Services = {
    ...createStores(database.db),
    config,
    log,
    database,
    db: database.db,
    keys: createKeys(config),
    mailer: own.mailer ?? createMailer(config, log),
    events,
    limiter: createLimiter(config, database),
    background,
  };
  const all = [
    ...featureSubscribers.map((subscriberOf) => subscriberOf(services)),
    ...subscribers(services),
    ...(own.subscribers ?? []),
  ];
  for (const subscriber of all) events.subscribe(subscriber);
  return services;
}

/**
 * Runs `work` with stores that share one transaction: all of it happens, or none. Its events are
 * published after the commit. Inside, use the services handed to `work`, never the outer ones.
 */
export async function inTransaction<T>(
  services: Services,
  work: (services: Services) => Promise<T>,
): Promise<T> {
  if (services.db.isTransaction) return work(services);
  const events = holdEvents(services.events);
  const result = await services.db
    .transaction()
    .execute((db) => work({ ...services, ...createStores(db), db, events }));
  events.release();
  return result;
}

/** Lets running work end, then closes what was opened. */
export async function closeServices(services: Services): Promise<void> {
  await services.background.idle();
  await services.database.close();
}
