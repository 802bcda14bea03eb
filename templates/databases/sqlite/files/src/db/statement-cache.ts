import type { SqliteDatabase, SqliteStatement } from 'kysely';
import type Database from 'libsql';
import { requireStorable } from './storable.js';

type Row = Record<string, unknown>;

/** Kysely's texts vary only with the shape of a query, so there are a few dozen of them. */
const CAPACITY = 200;

const ENDS_AT_ONE_ROW = / limit 1$/;

/**
 * The database as Kysely needs it, with each statement prepared once: preparing costs more than most
 * of our queries. The oldest statement makes room for a new one.
 *
 * Sharing a statement is safe because it is never in use twice: Kysely reads all rows in one
 * synchronous step, and libsql resets the statement at its end. After a change of the tables SQLite
 * prepares a statement anew by itself (sqlite3_prepare_v2).
 */
export function withStatementCache(database: Database.Database): SqliteDatabase {
  const statements = new Map<string, SqliteStatement>();

  function prepare(sql: string): SqliteStatement {
    const known = statements.get(sql);
    if (known) return known;
    const statement = guard(database.prepare(sql), ENDS_AT_ONE_ROW.test(sql));
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

/** `endsAtOneRow`: libsql reads one row in one call, and several with an iterator, which costs as much again. */
function guard(statement: Database.Statement, endsAtOneRow: boolean): SqliteStatement {
  const { reader } = statement;
  const toRow = reader ? rowReader(statement) : Object;
  return {
    reader,
    all(parameters) {
      const values = checked(parameters);
      if (!endsAtOneRow) return statement.all(values).map(toRow);
      const row: unknown = statement.get(values);
      return row === undefined ? [] : [toRow(row)];
    },
    run: (parameters) => statement.run(checked(parameters)),
    *iterate(parameters) {
      for (const values of statement.iterate(checked(parameters))) yield toRow(values);
    },
  };
}

/**
 * Turns a row's values into an object. libsql could do so itself, but it makes every column's name
 * anew for every row, which costs as much as the query.
 */
function rowReader(statement: Database.Statement): (values: unknown) => Row {
  statement.raw();
  let names = columnNames(statement);
  return (values) => {
    const list = values as unknown[];
    // `select *` yields other columns once a migration has changed the table.
    if (names.length !== list.length) names = columnNames(statement);
    const row: Row = {};
    for (let index = 0; index < names.length; index += 1) row[names[index] ?? ''] = list[index];
    return row;
  };
}

/** A boolean would end the whole process, in libsql. */
function checked(parameters: readonly unknown[]): readonly unknown[] {
  const values = requireStorable(parameters);
  if (values.includes(true) || values.includes(false)) {
    throw new TypeError('The database cannot store this boolean.');
  }
  return values;
}

function columnNames(statement: Database.Statement): string[] {
  return statement.columns().map((column) => column.name);
}
