import { randomId } from '../random.js';

/** Kysely's texts vary only with the shape of a query, so there are a few dozen of them. */
const CAPACITY = 200;

/** The names under which one connection has its statements prepared. */
export interface StatementNames {
  /** The name of a statement; undefined once there are too many: it is parsed at each use then. */
  of(sql: string): string | undefined;
  /** Makes the next use of a statement prepare it anew. */
  forget(sql: string): void;
}

/**
 * With a name the server parses and plans a statement once. Names begin with something of this
 * connection's own: behind a pooler, connections can share one session of the server.
 */
export function statementNames(): StatementNames {
  const prefix = randomId().slice(0, 8);
  const names = new Map<string, string>();
  let given = 0;
  return {
    of(sql) {
      const known = names.get(sql);
      if (known || given >= CAPACITY) return known;
      given += 1;
      const name = `${prefix}_${given}`;
      names.set(sql, name);
      return name;
    },
    forget(sql) {
      names.delete(sql);
    },
  };
}
