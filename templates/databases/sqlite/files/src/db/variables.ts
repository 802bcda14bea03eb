import { secret, variable } from '../process/environment.js';

export const databaseVariables = {
  DATABASE_URL: secret(
    variable('file: and a path, such as file:./data/auth.db, or :memory:', (text) =>
      text === ':memory:' || /^file:[^?#]+$/.test(text) ? text : undefined,
    ).prefault('file:./data/auth.db'),
  ),
};

/** Needed in production: none. The default is a file of the service's own. */
export const requiredInProduction: string[] = [];
