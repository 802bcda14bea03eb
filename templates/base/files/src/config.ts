import type * as z from 'zod';
import { databaseVariables, requiredInProduction } from './db/variables.js';
import type { FeatureParts, Merged } from './feature.js';
import { features } from './features.js';
import * as address from './process/addresses.js';
import { problemsBetween, problemsOfSecrets, warningsAbout } from './process/config-checks.js';
import * as env from './process/environment.js';
import { projectName } from './process/project-name.js';
import { emailField } from './users/user.js';

const serviceVariables = {
  NODE_ENV: env.oneOf('development', 'test', 'production').prefault('development'),
  HOST: env.text().prefault('127.0.0.1'),
  PORT: env.wholeNumber(0, 65_535).prefault('3000'),
  SERVICE_NAME: env.text().prefault(projectName),
  BASE_URL: address.originUrl(),
  APP_URL: address.pageUrl(),
  ALLOWED_ORIGINS: address.originList(),
  AUTH_PREFIX: address.pathPrefix().prefault('/auth'),
  TRUST_PROXY: address.proxies().prefault('0'),
  BODY_LIMIT: env.bytes().prefault('100kb'),
  REQUEST_TIMEOUT: env.duration().prefault('30s'),
  MIGRATE_ON_START: env.onOff(),

  ACCESS_TOKEN_SECRET: env.secretList(),
  REFRESH_TOKEN_SECRET: env.secretList(),
  ACCESS_TOKEN_TTL: env.duration().prefault('15m'),
  REFRESH_TOKEN_TTL: env.duration().prefault('7d'),
  SESSION_MAX_AGE: env.duration().prefault('30d'),
  REFRESH_REUSE_WINDOW: env.duration(0).prefault('10s'),
  REAUTH_WINDOW: env.duration().prefault('15m'),
  SESSION_CHECK: env.oneOf('all', 'refresh').prefault('all'),
  CSRF: env.onOff().prefault('on'),
  COOKIE_DOMAIN: address.domain().optional(),
  COOKIE_SAMESITE: env.oneOf('lax', 'strict', 'none').prefault('lax'),

  RATE_LIMIT: env.onOff().prefault('on'),
  BOOTSTRAP_ADMIN_EMAIL: env
    .variable('an email address', (value) => emailField.safeParse(value).data)
    .optional(),
  LOG_LEVEL: env
    .oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent')
    .prefault('info'),
  OPENAPI: env.onOff(),
};

const all: FeatureParts[] = Object.values(features);

type Variables = typeof serviceVariables & typeof databaseVariables & Merged<'variables'>;

type Values = { [Name in keyof Variables]: z.output<Variables[Name]> };

/** The configuration under the variables' own names: durations in ms, sizes in bytes. */
// An interface, so that the compiler resolves what it extends once all features are known.
export interface Config extends Values {
  isProduction: boolean;
  /** Cookies are Secure: in production, and wherever BASE_URL is https. */
  secureCookies: boolean;
}

export const variables: Variables = Object.assign(
  {},
  serviceVariables,
  databaseVariables,
  ...all.map((feature) => feature.variables),
);

/** A rule over several variables; those that could not be read themselves are undefined. */
export type ConfigCheck = (config: Partial<Config>) => string | string[] | undefined;

export function warningsOf(config: Config): string[] {
  return [...warningsAbout(config), ...all.flatMap((each) => each.configWarning?.(config) ?? [])];
}

/** Thrown if the service does not start with this configuration; the message lists every problem. */
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
export function readConfig(environment: env.Environment): Config {
  const { read, problems } = env.withSecretFiles(withoutEmpty(environment), variables);
  const given = withoutEmpty(read);
  const filled: env.Environment = { ...defaultsOf(given), ...given };
  const values: Record<string, unknown> = {};
  const secretLists: [name: string, secrets: string[]][] = [];
  for (const [name, schema] of Object.entries<z.ZodType>(variables)) {
    const { data, error } = schema.safeParse(filled[name]);
    values[name] = data;
    if (schema.meta()?.isSecret && Array.isArray(data)) secretLists.push([name, data]);
    // A default derived from an invalid variable is invalid too; naming it would only mislead.
    const isOwn = name in given || !(name in filled);
    if (isOwn && error) problems.push(`${name} ${error.issues[0]?.message}`);
  }
  // Rules over several variables treat one that could not be read as missing.
  const config = derive(values as Partial<Config>);
  if (!('NODE_ENV' in given) && config.BASE_URL?.startsWith('https:')) {
    problems.push(
      'NODE_ENV is missing: with an https BASE_URL set it to production, or to development if you mean it',
    );
  }
  const missing = needed(config).filter((name) => !(name in given));
  problems.push(
    ...missing.map((name) => `${name} is missing: it is needed in production`),
    ...problemsOfSecrets(secretLists, config.isProduction),
    ...problemsBetween(config),
    ...all.flatMap(({ configCheck }) => configCheck?.(config) ?? []),
  );
  if (problems.length > 0) throw new ConfigError(firstOfEach(problems));
  // Safe: each value was parsed by the schema that its type is derived from.
  return config as Config;
}

/** The first problem of each variable: what follows is often a consequence. */
function firstOfEach(problems: string[]): string[] {
  const variableOf = (problem: string) => problem.split(/_FILE | /, 1)[0];
  return problems.filter(
    (problem, index) =>
      problems.findIndex((each) => variableOf(each) === variableOf(problem)) === index,
  );
}

function derive(values: Partial<Config>): Partial<Config> {
  const { BASE_URL: own, ALLOWED_ORIGINS: origins } = values;
  const isProduction = values.NODE_ENV === 'production';
  const secureCookies = isProduction || own?.startsWith('https:') === true;
  // The service's own pages may always call it.
  const ALLOWED_ORIGINS = own && origins ? [...new Set([own, ...origins])] : origins;
  return { ...values, ALLOWED_ORIGINS, isProduction, secureCookies };
}

/** Variables that production requires, whatever their defaults. */
function needed({ isProduction }: Partial<Config>): string[] {
  if (!isProduction) return [];
  const hasFrontEnd = all.some(({ appPath }) => appPath);
  return ['BASE_URL', 'SMTP_URL', ...requiredInProduction, ...(hasFrontEnd ? [] : ['APP_URL'])];
}

function withoutEmpty(environment: env.Environment): env.Environment {
  const entries = Object.entries(environment);
  return Object.fromEntries(entries.filter(([, value]) => value?.trim()));
}

function defaultsOf(given: env.Environment): env.Environment {
  const isProduction = given.NODE_ENV === 'production';
  const own = address.httpUrl(given.BASE_URL ?? `http://localhost:${given.PORT ?? '3000'}`);
  const paths = all.flatMap(({ appPath }) => appPath?.(given) ?? []);
  const appUrl = given.APP_URL ?? `${own?.origin}${paths.join('')}`;
  return {
    BASE_URL: own?.origin,
    APP_URL: appUrl,
    ALLOWED_ORIGINS: address.httpUrl(appUrl)?.origin ?? appUrl,
    MAIL_FROM: `no-reply@${own?.hostname ?? 'localhost'}`,
    // In production, changing tables and publishing the document are deliberate decisions.
    MIGRATE_ON_START: isProduction ? 'off' : 'on',
    OPENAPI: isProduction ? 'off' : 'on',
  };
}
