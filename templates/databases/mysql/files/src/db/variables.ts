import { serverUrl } from '../process/addresses.js';
import { onOff, secret, wholeNumber } from '../process/environment.js';

/** The variables of the database. */
export const databaseVariables = {
  DATABASE_URL: secret(
    serverUrl('mysql://user:password@host:3306/name', /^mysql:\/\/[^\s/]+\/[^\s/?]+$/).prefault(
      'mysql://root:mysql@127.0.0.1:3306/auth',
    ),
  ),
  DATABASE_POOL_SIZE: wholeNumber(1, 1_000).prefault('10'),
  DATABASE_TLS: onOff().prefault('off'),
};

/** Needed in production: the default has the password of a development server. */
export const requiredInProduction: string[] = ['DATABASE_URL'];
