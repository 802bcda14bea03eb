import { z } from 'zod';
import { databaseVariables } from './db/variables.js';
import type { FeatureParts, Merged } from './feature.js';
import { features } from './features.js';
import {
  domain,
  emailAddress,
  originList,
  originUrl,
  pageUrl,
  pathPrefix,
  proxies,
} from './process/addresses.js';
import { configChecks, configWarnings } from './process/config-checks.js';
import {
  bytes,
  duration,
  type Environment,
  oneOf,
  onOff,
  text,
  wholeNumber,
} from './process/environment.js';
import { projectName } from './process/project-name.js';
import { secretList } from './process/secrets.js';

/** The variables of every service. Defaults that depend on other variables are in `withDefaults`. */
const serviceVariables = {
  NODE_ENV: oneOf('development', 'test', 'production').prefault('development'),
  HOST: text().prefault('127.0.0.1'),
  PORT: wholeNumber(0, 65_535).prefault('3000'),
  SERVICE_NAME: text().prefault(projectName),
  BASE_URL: originUrl(),
  APP_URL: pageUrl(),
  ALLOWED_ORIGINS: originList(),
  AUTH_PREFIX: pathPrefix().prefault('/auth'),
  TRUST_PROXY: proxies().prefault('0'),
  BODY_LIMIT: bytes().prefault('100kb'),
  REQUEST_TIMEOUT: duration().prefault('30s'),
  MIGRATE_ON_START: onOff(),

  ACCESS_TOKEN_SECRET: secretList(),
  REFRESH_TOKEN_SECRET: secretList(),
  ACCESS_TOKEN_TTL: duration().prefault('15m'),
  REFRESH_TOKEN_TTL: duration().prefault('7d'),
  SESSION_MAX_AGE: duration().prefault('30d'),
  REFRESH_REUSE_WINDOW: duration(0).prefault('10s'),
  REAUTH_WINDOW: duration().prefault('15m'),
  SESSION_CHECK: oneOf('all', 'refresh').prefault('all'),
  CSRF: onOff().prefault('on'),
  COOKIE_DOMAIN: domain().optional(),
  COOKIE_SAMESITE: oneOf('lax', 'strict', 'none').prefault('lax'),

  RATE_LIMIT: onOff().prefault('on'),
  BOOTSTRAP_ADMIN_EMAIL: emailAddress().optional(),
  LOG_LEVEL: oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent').prefault('info'),
  OPENAPI: onOff(),
};

const all: FeatureParts[] = Object.values(features);

type Variables = typeof serviceVariables & typeof databaseVariables & Merged<'variables'>;

type Values = { [Name in keyof Variables]: z.output<Variables[Name]> };

/** The configuration under the variables' own names: durations in ms, sizes in bytes. */
// An interface: the compiler looks at what it extends when all features are known.
export interface Config extends Values {
  isProduction: boolean;
  /** Cookies are Secure: in production, and wherever BASE_URL is https. */
  secureCookies: boolean;
}

/** Every environment variable that this service reads. */
export const variables: Variables = Object.assign(
  {},
  serviceVariables,
  databaseVariables,
  ...all.map((feature) => feature.variables),
);

/** A rule over several variables; those that could not be read themselves are undefined. */
export type ConfigCheck = (config: Partial<Config>) => string | undefined;

/** What the log warns of at each start, though the service starts with it. */
export function warningsOf(config: Config): string[] {
  const warnings = [...configWarnings, ...all.flatMap(({ configWarning }) => configWarning ?? [])];
  return warnings.map((warning) => warning(config)).filter((each) => each !== undefined);
}

const schema = z.object(variables);

/** Thrown for a configuration that the service does not start with; the message lists every problem. */
export class ConfigError extends Error {
  constructor(
    /** One sentence each, beginning with the variable's name. Values are never repeated. */
    readonly problems: string[],
  ) {
    super(['The configuration is not usable:', ...problems].join('\n  '));
    this.name = 'ConfigError';
  }
}

/**
 * Reads the configuration from environment variables, once, before anything else happens. An empty
 * variable counts as missing. Throws a ConfigError that names all problems at once.
 */
export function readConfig(environment: Environment): Config {
  const given = withoutEmpty(environment);
  const filled = withDefaults(given);
  const parsed = schema.safeParse(filled);
  const wrong = new Map(
    parsed.error?.issues.map((issue) => [String(issue.path[0]), issue.message]),
  );
  // The rules over several variables are tried on those that can be read, so that one start is
  // enough to see every problem.
  const config = derive(parsed.data ?? schema.partial().parse(without(filled, wrong)));
  const problems = [
    // A default that was made from a wrong variable is wrong too; naming it would only mislead.
    ...[...wrong]
      .filter(([name]) => name in given || !(name in filled))
      .map(([name, message]) => `${name} ${message}`),
    ...missingInProduction(config.isProduction, given),
    ...[...configChecks, ...all.flatMap(({ configCheck }) => configCheck ?? [])]
      .map((check) => check(config))
      .filter((problem) => problem !== undefined),
  ];
  if (!parsed.success || problems.length > 0) throw new ConfigError(problems);
  // Safe: the schema is made of the very variables that the type is derived from.
  return derive(parsed.data) as Config;
}

type Derived = Pick<Partial<Config>, 'NODE_ENV' | 'BASE_URL' | 'ALLOWED_ORIGINS'>;

function derive<T extends Derived>(values: T) {
  const { BASE_URL: own, ALLOWED_ORIGINS: origins } = values;
  const isProduction = values.NODE_ENV === 'production';
  const secureCookies = isProduction || own?.startsWith('https:') === true;
  // The service's own pages may always call it.
  const ALLOWED_ORIGINS = own && origins ? [...new Set([own, ...origins])] : origins;
  return { ...values, ALLOWED_ORIGINS, isProduction, secureCookies };
}

function missingInProduction(isProduction: boolean, given: Environment): string[] {
  const sendsMail = all.some((feature) => feature.mails);
  if (!isProduction || !sendsMail || 'SMTP_URL' in given) return [];
  return ['SMTP_URL is missing: it is needed in production'];
}

function withoutEmpty(environment: Environment): Environment {
  return Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value.trim() !== ''),
  );
}

function without(environment: Environment, names: Map<string, unknown>): Environment {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !names.has(name)));
}

/** Fills in the defaults that depend on other variables. What is set wins. */
function withDefaults(environment: Environment): Environment {
  const isProduction = environment.NODE_ENV === 'production';
  const baseUrl = environment.BASE_URL ?? `http://localhost:${environment.PORT ?? '3000'}`;
  const appUrl = environment.APP_URL ?? baseUrl;
  return {
    BASE_URL: baseUrl,
    APP_URL: appUrl,
    ALLOWED_ORIGINS: originOf(appUrl),
    MAIL_FROM: `no-reply@${hostOf(baseUrl)}`,
    // In production a person decides when the tables change and the document is published.
    MIGRATE_ON_START: isProduction ? 'off' : 'on',
    OPENAPI: isProduction ? 'off' : 'on',
    ...environment,
  };
}

function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : url;
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).hostname : 'localhost';
}
