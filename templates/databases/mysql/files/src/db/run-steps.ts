import { createHash } from 'node:crypto';
import {
  type CompiledQuery,
  type DatabaseConnection,
  DummyDriver,
  Kysely,
  MysqlAdapter,
  MysqlIntrospector,
  MysqlQueryCompiler,
  type QueryResult,
} from 'kysely';
import { isAlreadySo, isRefusal } from './errors.js';
import { migrationSteps, type Steps } from './migration-steps.js';

type AnyDb = Kysely<unknown>;
type Result = QueryResult<unknown>;

/** What leaves nothing behind, or nothing but a setting of the connection, is run each time. */
const PASSING =
  /^[\s(]*(?:select|with|show|explain|describe|set|begin|commit|rollback|savepoint)\b/i;
const CHANGES_ROWS = /^\s*(?:insert|update|delete|replace)\b/i;

/**
 * Runs the statements of a migration but those that an earlier run is noted to have run, and notes each.
 * Throws if the earlier ones were others.
 */
export async function runSteps(
  db: AnyDb,
  name: string,
  from: Steps,
  migrate: (db: AnyDb) => Promise<void>,
): Promise<void> {
  const steps = migrationSteps(db);
  let done = 0;
  let digest = '';

  async function step(query: CompiledQuery): Promise<Result> {
    if (PASSING.test(query.sql)) return db.executeQuery(query);
    const next = createHash('sha256').update(digest).update(query.sql).digest('hex');
    const result = await (done < from.done ? NOTHING : runNoted(query, next));
    done += 1;
    digest = next;
    return result;
  }

  function requireSameSteps(): void {
    if (done === from.done && digest !== from.digest) throw changedSince(name);
  }

  function runNoted(query: CompiledQuery, next: string): Promise<Result> {
    requireSameSteps();
    return CHANGES_ROWS.test(query.sql) ? changeRows(query, next) : changeTables(query, next);
  }

  /** The change and its note in one transaction: both happen, or neither. */
  async function changeRows(query: CompiledQuery, next: string): Promise<Result> {
    return db.transaction().execute(async (transaction) => {
      const result = await transaction.executeQuery(query);
      const noted = { ...from, done: done + 1, digest: next, inDoubt: null };
      await migrationSteps(transaction).save(name, noted);
      return result;
    });
  }

  /** A change of tables commits by itself, so it is noted before: whether it happened may be in doubt. */
  async function changeTables(query: CompiledQuery, next: string): Promise<Result> {
    const isInDoubt = done === from.done && from.inDoubt === next;
    const noted = { ...from, done, digest };
    if (!isInDoubt) await steps.save(name, { ...noted, inDoubt: next });
    try {
      return await db.executeQuery(query);
    } catch (error) {
      if (isInDoubt && isAlreadySo(error)) return NOTHING;
      if (isRefusal(error)) await steps.save(name, { ...noted, inDoubt: null });
      throw error;
    }
  }

  await migrate(statementByStatement(step));
  if (done < from.done) throw changedSince(name);
  requireSameSteps();
}

const NOTHING: Result = { rows: [] };

function changedSince(name: string): Error {
  return new Error(
    `Migration ${name} has changed since a run of it ended half-way. Remove by hand what that run made, and its row in migration_steps.`,
  );
}

/** A database whose every statement `execute` runs. */
function statementByStatement(execute: (query: CompiledQuery) => Promise<Result>): AnyDb {
  const connection: DatabaseConnection = {
    executeQuery: async <Row>(query: CompiledQuery) => (await execute(query)) as QueryResult<Row>,
    streamQuery() {
      throw new TypeError('Streams are not set up.');
    },
  };
  return new Kysely({
    dialect: {
      createAdapter: () => new MysqlAdapter(),
      createDriver: () => new OneConnectionDriver(connection),
      createIntrospector: (db) => new MysqlIntrospector(db),
      createQueryCompiler: () => new MysqlQueryCompiler(),
    },
  });
}

class OneConnectionDriver extends DummyDriver {
  readonly #connection: DatabaseConnection;

  constructor(connection: DatabaseConnection) {
    super();
    this.#connection = connection;
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    return this.#connection;
  }
}
