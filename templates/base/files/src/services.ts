import type { Config } from './config.js';
import { openDatabase } from './db/connect.js';
import type { Db } from './db/schema.js';
import { createEventBus, type EventBus, type EventName, type Subscriber } from './events/bus.js';
import { subscribers } from './events/subscribers.js';
import { publishAlone, runTransaction } from './events/transactions.js';
import type { Contributed, ErrorTable, FeatureParts, Intersection, Worker } from './feature.js';
import { type Features, features } from './features.js';
import { httpErrors } from './http/errors.js';
import { type Counters, createLimiter, httpLimits, type Limiter } from './http/limits.js';
import { documented } from './http/openapi.js';
import { requestReader } from './http/request.js';
import { mountsOf, type Resource, resourcesOf } from './http/route.js';
import { createMailer, type Mailer } from './mail/mailer.js';
import { type Background, createBackground } from './process/background.js';
import { createLog, type Log } from './process/log.js';
import { authenticate } from './session/authenticate.js';
import { noteRefusedSignIn } from './session/finish-login.js';
import { requireReauthentication } from './session/reauthentication.js';
import { type AccessTokens, createAccessTokens, createKeys, type Keys } from './session/tokens.js';
import { requirePermission } from './users/account.js';

type MadeStores = Intersection<ReturnType<Contributed<'stores'>>>;

/** The stores of all features, by name. */
export type Stores = { [Name in keyof MadeStores]: MadeStores[Name] };

type Workers = {
  [Name in keyof Features as Features[Name] extends { worker: unknown }
    ? Name
    : never]: Features[Name] extends { worker: (...args: never[]) => infer Made } ? Made : never;
};

/** Everything that a handler may use; built once, at the start. */
// An interface, so that the compiler resolves what it extends once all features are known.
export interface Services extends Stores {
  config: Config;
  log: Log;
  db: Db;
  keys: Keys;
  accessTokens: AccessTokens;
  mailer: Mailer;
  events: EventBus;
  subscribers: Subscriber[];
  /** Where a feature counts rate limits; undefined: in the database. */
  counters: Counters | undefined;
  limiter: Limiter;
  readRequest: ReturnType<typeof requestReader>;
  background: Background;
  /** Everything in `features.ts`, for code that runs for each feature. */
  features: readonly NamedFeature[];
  errors: ErrorTable;
  workers: Workers;
  /** What `http/` needs from the layers above it. */
  guards: typeof guards;
  /** Every path of the service, for the framework's router. */
  resources: Resource[];
  /**
   * Runs `work` with stores that share one transaction: all of it happens, or none. Its events are
   * recorded in it and announced after the commit. `work` uses the services that it is handed, never
   * the outer ones, and counts no rate limit: on a single connection that would wait for itself. It
   * runs again if it lost against another transaction, or if a row that it refers to was deleted
   * meanwhile, so it must change nothing outside of the database.
   * `frequent` names the only event of a frequent change that is a single statement: if nobody records
   * that event, no transaction is opened.
   */
  transaction<T>(work: (tx: Services) => Promise<T>, frequent?: EventName): Promise<T>;
}

/** Services that a test or a team supplies instead of the configured ones. */
export interface OwnServices extends Partial<Pick<Services, 'log' | 'mailer'>> {
  /** Receive every event, in addition to those of `events/subscribers.ts`. */
  subscribers?: Subscriber[];
}

const guards = { authenticate, requirePermission, requireReauthentication, noteRefusedSignIn };

type NamedFeature = FeatureParts & { name: string };

/** Every feature with its name in `features.ts`. */
export const namedFeatures = Object.entries<FeatureParts>(features).map(
  ([name, parts]): NamedFeature => ({ name, ...parts }),
);

/** Opens the database and builds the services on it. Throws if the database cannot be opened. */
export async function createServices(config: Config, own: OwnServices = {}): Promise<Services> {
  const log = own.log ?? createLog(config);
  const database = await openDatabase(config, log);
  const background = createBackground(log);
  const keys = createKeys(config);
  const limits = Object.assign({}, httpLimits, ...namedFeatures.map((feature) => feature.limits));
  const opened = await Promise.all(namedFeatures.map((feature) => feature.counters?.(config, log)));
  const counters = opened.find((each) => each !== undefined);
  const services: Services = {
    config,
    log,
    db: database.db,
    keys,
    accessTokens: createAccessTokens(config, keys),
    mailer: own.mailer ?? createMailer(config, log),
    events: createEventBus((event) => publishAlone(services, event)),
    subscribers: [],
    counters,
    limiter: createLimiter(config, limits, counters ?? database, database),
    readRequest: requestReader(config),
    background,
    features: namedFeatures,
    errors: Object.assign({}, httpErrors, ...namedFeatures.map((feature) => feature.errors)),
    guards,
    resources: [],
    transaction: (work, frequent) => runTransaction(services, createStores, work, frequent),
    ...createStores(database.db),
    // Made below, as routes and subscribers are: from the other services.
    workers: {} as Workers,
  };
  const workers = namedFeatures.flatMap(({ name, worker }) =>
    worker ? [[name, worker(services)]] : [],
  );
  services.workers = Object.fromEntries(workers);
  services.resources = resourcesOf(documented(services, mountsOf(services)));
  services.subscribers = [...subscribers(services), ...(own.subscribers ?? [])];
  return services;
}

function createStores(db: Db): Stores {
  return Object.assign({}, ...namedFeatures.map(({ stores }) => stores?.(db)));
}

export async function startWorkers({ workers }: Services): Promise<void> {
  for (const worker of Object.values<Worker>(workers)) await worker.start();
}

/** Logs a worker that fails to stop, as without the database: the others and the requests must still end. */
export async function stopWorkers({ background, workers }: Services): Promise<void> {
  for (const [name, worker] of Object.entries<Worker>(workers)) {
    background.run(`stop of ${name}`, () => worker.stop());
  }
  await background.idle();
}

/** Waits for running work, then closes what was opened. */
export async function closeServices(services: Services): Promise<void> {
  await services.background.idle();
  await stopWorkers(services);
  await services.counters?.close();
  await services.db.destroy();
}
