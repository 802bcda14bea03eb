import type * as z from 'zod';
import type { Config, ConfigCheck } from './config.js';
import type { Db } from './db/schema.js';
import type { EventRecorder } from './events/bus.js';
import type { Features } from './features.js';
import type { HttpError, httpErrors } from './http/errors.js';
import type { Counters, httpLimits, LimitRule } from './http/limits.js';
import type { ServiceRequest } from './http/request.js';
import type { Result, Route } from './http/route.js';
import type { ComposeMail } from './mail/compose-mail.js';
import type { Environment } from './process/environment.js';
import type { Log } from './process/log.js';
import type { Services } from './services.js';
import type { Caller } from './session/authenticate.js';
import type { Credential, OwnBrowser } from './session/credentials.js';
import type { LoginCheck } from './session/finish-login.js';
import type { EmptyProof, Factor, Reauthentication } from './session/reauthentication.js';

/** Error codes, each with its status and its sentence for people. */
export type ErrorTable = Readonly<Record<string, readonly [status: number, message: string]>>;

/** Runs beside requests: a dispatcher, a pool of processes. */
export interface Worker {
  /** Called once the service listens. */
  start(): void | Promise<void>;
  /** Called as soon as the shutdown begins, and again after the last response. */
  stop(): Promise<void>;
}

/** The data of an event; only its type exists. */
export interface EventShape<Data> {
  readonly data?: Data;
}

/** `'identity.user.linked': event<{ provider: string }>()` declares an event with its data. */
export function event<Data extends object>(): EventShape<Data> {
  return {};
}

export interface Finding {
  about: string;
  /** True if the service does not start because of it, or answers /readyz with 503. */
  stops: boolean;
  /** True if the service starts, but somebody should act. */
  isWarning?: boolean;
  /** A sentence for people. No variable's value is ever in it. */
  message: string;
}

/** What a feature may contribute; it names only what it has. A feature may declare a kind of its own. */
export interface FeatureParts {
  variables?: Readonly<Record<string, z.ZodType>>;
  /** Mails by name, to be queued by `services.mails.add`. */
  mails?: Readonly<Record<string, ComposeMail<never>>>;
  /** A rule over several variables. */
  configCheck?: ConfigCheck;
  /** Settings that the log warns about at each start. */
  configWarning?: ConfigCheck;
  /** Where the front end is, below BASE_URL, if APP_URL is not set. */
  appPath?: (environment: Environment) => string;
  /** Findings about its rows for `npm run check`, once the migrations have run. */
  findings?: (connection: Pick<Services, 'config' | 'db' | 'features'>) => Promise<Finding[]>;
  errors?: ErrorTable;
  limits?: Readonly<Record<string, LimitRule>>;
  events?: Readonly<Record<string, EventShape<object>>>;
  /** Its stores by name, on a database or in a transaction on it. */
  stores?: (db: Db) => object;
  /** Where its routes are mounted; AUTH_PREFIX if absent, the empty text for the root. */
  prefix?: (config: Config) => string;
  /** A function, so that routes may use what is built from all features. */
  routes?: (services: Services) => Route[];
  /** Renders a refusal as a page, for requests that get pages; its `status`, if any, replaces the refusal's. */
  failurePage?: (
    services: Services,
    request: ServiceRequest,
    refusal: HttpError,
    route: Route | undefined,
  ) => Result | undefined;
  loginCheck?: LoginCheck;
  reauthentication?: Reauthentication;
  /** A factor that accounts may have besides what they first sign in with. */
  factor?: Factor;
  /** By the name of a method: its RFC 8176 value, if it has one. */
  amr?: Readonly<Record<string, string>>;
  emptyProof?: EmptyProof;
  credential?: Credential;
  /** True if users can prove their address with it at any time: a factor that survives that proof requires it first. */
  provesAddress?: boolean;
  ownBrowser?: OwnBrowser;
  /** The caller of a single-purpose token; undefined for any other token. */
  callerOfToken?: (services: Services, token: string | undefined) => Promise<Caller | undefined>;
  /** Records events, in the transaction that causes them. */
  recorder?: EventRecorder;
  worker?: (services: Services) => Worker;
  /** Deletes what has expired; called every hour. */
  cleanUp?: (services: Services) => Promise<unknown>;
  /** A store of its own for the counts of rate limits, if one is configured. */
  counters?: (config: Config, log: Log) => Promise<Counters | undefined>;
}

/** Keeps the literal types, from which codes, limits, variables, stores and events are derived. */
export function defineFeature<const Parts extends FeatureParts>(parts: Parts): Parts {
  return parts;
}

/** Every error code that this service answers with. */
export type ErrorCode = Extract<keyof typeof httpErrors | KeysOf<Contributed<'errors'>>, string>;

export type LimitName = Extract<keyof typeof httpLimits | KeysOf<Contributed<'limits'>>, string>;

/** What the features contribute under one name, as a union. */
export type Contributed<Part extends string> = Features[keyof Features] extends infer Feature
  ? Feature extends { readonly [Name in Part]: infer Value }
    ? Value
    : never
  : never;

/** The same as their intersection. */
export type Merged<Part extends string> = Intersection<Contributed<Part>>;

export type Intersection<Union> = (Union extends unknown ? (each: Union) => void : never) extends (
  all: infer All,
) => void
  ? All
  : never;

type KeysOf<Union> = Union extends unknown ? keyof Union : never;
