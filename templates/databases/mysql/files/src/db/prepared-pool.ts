import type { MysqlPool, MysqlPoolConnection, MysqlQueryResult } from 'kysely';
import type { Pool, PoolConnection } from 'mysql2';
import { ConnectionError } from './connection-error.js';
import { isRefusal } from './errors.js';
import { takeConnection } from './pool.js';
import { retryConflicts } from './retry.js';
import { requireStorable, type Storable } from './storable.js';

type Callback = (error: unknown, result: MysqlQueryResult) => void;

/** The pool as Kysely needs it: statements are prepared, lost races run again, failures are told apart. */
export function preparedPool(pool: Pool): MysqlPool {
  const connections = new WeakMap<PoolConnection, MysqlPoolConnection>();

  async function take(): Promise<MysqlPoolConnection> {
    const connection = await takeConnection(pool);
    const known = connections.get(connection);
    if (known) return known;
    const prepared = preparedConnection(connection);
    connections.set(connection, prepared);
    return prepared;
  }

  return {
    getConnection(callback: (error: unknown, connection: MysqlPoolConnection) => void) {
      take().then(
        (connection) => callback(undefined, connection),
        callback as (error: unknown) => void,
      );
    },
    // Whoever opened the pool ends it.
    end: (callback) => callback(undefined),
  };
}

function preparedConnection(connection: PoolConnection): MysqlPoolConnection {
  let isInTransaction = false;

  async function run(text: string, parameters: unknown[]): Promise<MysqlQueryResult> {
    const values = requireStorable(parameters);
    const once = () => execute(connection, text, values);
    // Within a transaction the whole of it is lost, and `inTransaction` begins it again.
    const result = await (isInTransaction ? once() : retryConflicts(once));
    if (text === 'begin') isInTransaction = true;
    if (text === 'commit' || text === 'rollback') isInTransaction = false;
    return result;
  }

  function query(text: string, parameters: unknown[]): never;
  function query(text: string, parameters: unknown[], callback: Callback): void;
  function query(text: string, parameters: unknown[], callback?: Callback): void {
    if (!callback) throw new TypeError('Streams are not set up.');
    run(text, parameters).then(
      (result) => callback(undefined, result),
      (error) => callback(error, []),
    );
  }

  return {
    query,
    release() {
      isInTransaction = false;
      connection.release();
    },
  };
}

/**
 * Values go to the server apart from the text (COM_STMT_EXECUTE): nothing is escaped into it here. What
 * has no values is not worth preparing, or cannot be.
 */
function execute(
  connection: PoolConnection,
  text: string,
  values: Storable[],
): Promise<MysqlQueryResult> {
  return new Promise((resolve, reject) => {
    const settle = (error: unknown, result: unknown) => {
      if (!error) resolve(result as MysqlQueryResult);
      else reject(isRefusal(error) ? error : new ConnectionError(error));
    };
    if (values.length === 0) connection.query(text, settle);
    else connection.execute(text, values, settle);
  });
}
