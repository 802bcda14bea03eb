import type { SqliteDatabase, SqliteStatement } from 'kysely';
import type Database from 'libsql';

/** Kysely's texts vary only with the shape of a query, so there are a few dozen of them. */
const CAPACITY = 200;

/**
 * The database as Kysely needs it, with each statement prepared once: preparing costs more than most
 * of our queries. The least recently used statement makes room for a new one.
 *
 * Sharing a statement is safe because it is never in use twice: Kysely reads all rows in one
 * synchronous step, and libsql resets the statement at its end. After a change of the tables SQLite
 * prepares a statement anew by itself (sqlite3_prepare_v2).
 */
export function withStatementCache(database: Database.Database): SqliteDatabase {
  const statements = new Map<string, SqliteStatement>();

  function prepare(sql: string): SqliteStatement {
    const statement = statements.get(sql) ?? guard(database.prepare(sql));
    // A Map keeps the order of insertion: putting a statement back makes it the youngest.
    statements.delete(sql);
    statements.set(sql, statement);
    if (statements.size > CAPACITY) dropOldest(statements);
    return statement;
  }

  return { prepare, close: () => database.close() };
}

function dropOldest(statements: Map<string, SqliteStatement>): void {
  for (const sql of statements.keys()) {
    statements.delete(sql);
    return;
  }
}

function guard(statement: Database.Statement): SqliteStatement {
  return {
    reader: statement.reader,
    all: (parameters) => statement.all(checked(parameters)),
    run: (parameters) => statement.run(checked(parameters)),
    iterate: (parameters) => statement.iterate(checked(parameters)),
  };
}

/**
 * Refuses what libsql would not store as it is: a boolean ends the whole process, undefined becomes
 * null, and a text is cut at its first NUL, so that one address could pass for another.
 */
function checked(parameters: readonly unknown[]): unknown[] {
  for (const value of parameters) {
    const isStorable =
      value === null ||
      (typeof value === 'string' && !value.includes('\0')) ||
      Number.isFinite(value) ||
      typeof value === 'bigint' ||
      value instanceof Uint8Array;
    if (!isStorable) throw new TypeError(`SQLite cannot store this ${typeof value}.`);
  }
  return [...parameters];
}
