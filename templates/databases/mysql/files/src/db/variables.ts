import { onOff, secret, variable, wholeNumber } from '../process/environment.js';

/** The variables of the database. */
export const databaseVariables = {
  DATABASE_URL: secret(
    variable('a URL such as mysql://user:password@host:3306/name', (text) =>
      /^mysql:\/\/[^\s/]+\/[^\s/?]+$/.test(text) && URL.canParse(text) ? text : undefined,
    ).prefault('mysql://root:mysql@127.0.0.1:3306/auth'),
  ),
  DATABASE_POOL_SIZE: wholeNumber(1, 1_000).prefault('10'),
  DATABASE_TLS: onOff().prefault('off'),
};

/** Needed in production: the default has the password of a development server. */
export const requiredInProduction: string[] = ['DATABASE_URL'];
