import { secret, variable, wholeNumber } from '../process/environment.js';

/** The variables of the database. */
export const databaseVariables = {
  DATABASE_URL: secret(
    variable('a URL such as postgres://user:password@host:5432/name', (text) =>
      /^postgres(?:ql)?:\/\/[^\s/]+\/[^\s/?]+/.test(text) && URL.canParse(text) ? text : undefined,
    ).prefault('postgres://postgres:postgres@127.0.0.1:5432/postgres'),
  ),
  DATABASE_POOL_SIZE: wholeNumber(1, 1_000).prefault('10'),
};

/** Needed in production: the default has the password of a development server. */
export const requiredInProduction: string[] = ['DATABASE_URL'];
