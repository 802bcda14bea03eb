import { type Background, createBackground } from './background.js';
import type { Config } from './config.js';
import { openDatabase } from './db/connect.js';
import { onceMoreIfGone } from './db/once-more.js';
import type { OpenDatabase } from './db/open-database.js';
import { retryConflicts } from './db/retry.js';
import type { Db } from './db/schema.js';
import {
  createEventBus,
  type EventBus,
  type EventName,
  holdEvents,
  type ServiceEvent,
  type Subscriber,
} from './events/bus.js';
import { featureSubscribers } from './events/feature-subscribers.js';
import { eventRecorders } from './events/recorders.js';
import { subscribers } from './events/subscribers.js';
import { openCounters } from './http/counters.js';
import { createLimiter, type Limiter } from './http/limiter.js';
import { createLog, type Log } from './log.js';
import { createMailer, type Mailer } from './mail/mailer.js';
import type { Part } from './part.js';
import { createParts, type Parts } from './parts.js';
import { type AccessTokens, createAccessTokens } from './session/access-tokens.js';
import { createKeys, type Keys } from './session/keys.js';
import { createStores, type Stores } from './stores.js';

/** Everything that a handler may use; built once, at the start. */
export interface Services extends Stores {
  config: Config;
  log: Log;
  database: OpenDatabase;
  db: Db;
  keys: Keys;
  accessTokens: AccessTokens;
  mailer: Mailer;
  events: EventBus;
  /** Tells subscribers of an event that has happened and is recorded. */
  announce(event: ServiceEvent): void;
  limiter: Limiter;
  background: Background;
  /** What features run beside requests, by feature. */
  parts: Parts;
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
  const events = createEventBus(log, background, (event) => recordEvents(services, [event]));
  const keys = createKeys(config);
  const core: Omit<Services, 'parts'> = {
    ...createStores(database.db),
    config,
    log,
    database,
    db: database.db,
    keys,
    accessTokens: createAccessTokens(config, keys),
    mailer: own.mailer ?? createMailer(config, log),
    events,
    announce: events.announce,
    limiter: createLimiter(config, await openCounters(config, database, log)),
    background,
  };
  const services = withParts(core);
  const all = [
    ...featureSubscribers.map((subscriberOf) => subscriberOf(services)),
    ...subscribers(services),
    ...(own.subscribers ?? []),
  ];
  for (const subscriber of all) events.subscribe(subscriber);
  return services;
}

/** Parts use the services, and the services hold the parts: one object, filled in two steps. */
function withParts(core: Omit<Services, 'parts'>): Services {
  const services = core as Services;
  services.parts = createParts(services);
  return services;
}

/**
 * Runs `work` with stores that share one transaction: all of it happens, or none. Its events are
 * recorded within and announced after the commit. Inside, use the services handed to `work`, never
 * the outer ones, and count no rate limit: on a single connection that would wait for itself. `work`
 * runs again if it lost against another transaction, or if a row that it refers to was deleted meanwhile:
 * it must change nothing outside of the database.
 */
export async function inTransaction<T>(
  services: Services,
  work: (services: Services) => Promise<T>,
): Promise<T> {
  if (services.db.isTransaction) return work(services);
  const { result, happened } = await onceMoreIfGone(() =>
    retryConflicts(() => runOnce(services, work)),
  );
  for (const event of happened) services.announce(event);
  return result;
}

async function runOnce<T>(services: Services, work: (services: Services) => Promise<T>) {
  const events = holdEvents();
  const result = await services.db.transaction().execute(async (db) => {
    const inside = { ...services, ...createStores(db), db, events };
    const worked = await work(inside);
    await recordEvents(inside, events.held);
    return worked;
  });
  return { result, happened: events.held };
}

/**
 * Runs one change with the events that it causes. A single statement needs no transaction of its own
 * unless events are recorded beside it.
 */
export async function withEvents<T>(
  services: Services,
  work: (services: Services) => Promise<T>,
): Promise<T> {
  return eventRecorders.length > 0 ? inTransaction(services, work) : work(services);
}

/**
 * `withEvents` for a change that happens all the time, and whose one event hardly anybody awaits: who
 * does is asked first, and if nobody does the change is a statement without a transaction. Whoever
 * begins to listen at this very moment hears of the next one.
 */
export async function withFrequentEvent<T>(
  services: Services,
  event: EventName,
  work: (services: Services) => Promise<T>,
): Promise<T> {
  for (const { awaits } of eventRecorders) {
    if (await awaits(services, event)) return inTransaction(services, work);
  }
  const events = holdEvents();
  const result = await work({ ...services, events });
  for (const happened of events.held) services.announce(happened);
  return result;
}

async function recordEvents(inside: Services, events: ServiceEvent[]): Promise<void> {
  if (events.length === 0) return;
  for (const { record } of eventRecorders) await record(inside, events);
}

/** Starts what works beside requests. */
export async function startParts(services: Services): Promise<void> {
  for (const part of partsOf(services)) await part.start?.();
}

/** Lets running work end, then closes what was opened. */
export async function closeServices(services: Services): Promise<void> {
  await services.background.idle();
  await Promise.all(partsOf(services).map((part) => part.stop()));
  await services.limiter.close();
  await services.database.close();
}

function partsOf(services: Services): Part[] {
  return Object.values<Part>(services.parts);
}
