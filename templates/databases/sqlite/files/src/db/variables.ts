import { secret, variable } from '../process/environment.js';

export const databaseVariables = {
  DATABASE_URL: secret(
    variable('file: and a path, such as file:./data/auth.db, or :memory:', (text) =>
      text === ':memory:' || /^file:[^?#]+$/.test(text) ? text : undefined,
    ).prefault('file:./data/auth.db'),
  ),
};

/** None: the default, a file of the service, works in production too. */
export const requiredInProduction: string[] = [];
