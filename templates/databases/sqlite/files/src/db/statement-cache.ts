import type { SqliteDatabase, SqliteStatement } from 'kysely';
import type Database from 'libsql';

/** Kysely's SQL varies only with the shape of a query, so there are a few dozen statements. */
const CAPACITY = 200;

/**
 * The database as Kysely needs it, with each statement prepared once: preparing costs more than most
 * of our queries.
 *
 * Sharing a statement is safe: Kysely reads all rows in one synchronous step, after which libsql resets the
 * statement. After a schema change SQLite prepares it again by itself (sqlite3_prepare_v2).
 */
export function withStatementCache(database: Database.Database): SqliteDatabase {
  const statements = new Map<string, SqliteStatement>();
  return {
    prepare(sql) {
      const known = statements.get(sql);
      if (known) return known;
      if (statements.size === CAPACITY) statements.clear();
      const statement = prepared(database.prepare(sql), sql.endsWith(' limit 1'));
      statements.set(sql, statement);
      return statement;
    },
    close: () => database.close(),
  };
}

function iterate(): never {
  throw new TypeError('Streaming is not supported.');
}

/** With `isOneRow` libsql reads the row in one call; several rows need an iterator, which doubles the cost. */
function prepared(statement: Database.Statement, isOneRow: boolean): SqliteStatement {
  return {
    reader: statement.reader,
    all(parameters) {
      const values = checked(parameters);
      if (!isOneRow) return statement.all(values);
      const row: unknown = statement.get(values);
      return row === undefined ? [] : [row];
    },
    run: (parameters) => statement.run(checked(parameters)),
    iterate,
  };
}

/** libsql aborts the process on booleans. */
function checked(parameters: readonly unknown[]): readonly unknown[] {
  if (parameters.some((value) => typeof value === 'boolean')) {
    throw new TypeError('The database cannot store this boolean.');
  }
  return parameters;
}
