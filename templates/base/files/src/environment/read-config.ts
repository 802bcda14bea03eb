import { z } from 'zod';
import { type Config, variables } from '../config.js';
import { configChecks } from '../config-checks.js';
import { checks } from './checks.js';
import { type Environment, withDefaults } from './defaults.js';
import { isNeededInProduction } from './needed-in-production.js';

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
    ...[...checks, ...configChecks]
      .map((check) => check(config))
      .filter((problem) => problem !== undefined),
  ];
  if (!parsed.success || problems.length > 0) throw new ConfigError(problems);
  return derive(parsed.data);
}

function derive<T extends Pick<Partial<Config>, 'NODE_ENV' | 'BASE_URL'>>(values: T) {
  const isProduction = values.NODE_ENV === 'production';
  const secureCookies = isProduction || values.BASE_URL?.startsWith('https:') === true;
  return { ...values, isProduction, secureCookies };
}

function missingInProduction(isProduction: boolean, given: Environment): string[] {
  if (!isProduction) return [];
  return Object.entries(variables)
    .filter(([name, variable]) => isNeededInProduction(variable) && !(name in given))
    .map(([name]) => `${name} is missing: it is needed in production`);
}

function withoutEmpty(environment: Environment): Environment {
  return Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value.trim() !== ''),
  );
}

function without(environment: Environment, names: Map<string, unknown>): Environment {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !names.has(name)));
}
