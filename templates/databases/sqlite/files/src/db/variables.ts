import { variable } from '../process/environment.js';

/** The variables of the database. */
export const databaseVariables = {
  DATABASE_URL: variable('file: and a path, such as file:./data/auth.db, or :memory:', (text) =>
    text === ':memory:' || /^file:[^?#]+$/.test(text) ? text : undefined,
  ).prefault('file:./data/auth.db'),
};
