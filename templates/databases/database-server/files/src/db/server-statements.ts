import { TimeoutError, withTimeout } from '../process/clock.js';
import { ConnectionError } from './connection-error.js';
import type { Run } from './database.js';
import { isRefusal } from './errors.js';
import type { Db } from './schema.js';
import { retryConflicts } from './transaction.js';

/** How long a request waits for a connection, and for the result of a statement, before it is answered 503. */
export const PATIENCE_MS = 3_500;

const patientNodes = new WeakSet<object>();

/**
 * The database for slow work such as migrations: none of its statements is given up. They are marked one
 * by one: an AsyncLocalStorage, once it has run, slows down every promise of the process before Node 24.
 */
export function withoutTimeout(db: Db): Db {
  return db.withPlugin({
    transformQuery({ node }) {
      patientNodes.add(node);
      return node;
    },
    transformResult: async ({ result }) => result,
  });
}

/**
 * Runs statements on one connection. A statement that lost a conflict is retried; in a transaction,
 * `services.transaction` retries the whole transaction. An error that is not the server's own becomes a
 * ConnectionError. So does a time-out, after which the connection must be closed, not reused: the late
 * result could be taken for that of another statement.
 */
export function retryingStatements(run: Run): Run {
  let isInTransaction = false;
  /** A transaction with a patient statement commits patiently, too. */
  let isUnhurried = false;
  let hasTimedOut = false;
  return async (query) => {
    const once = async () => {
      if (hasTimedOut) throw new ConnectionError('an earlier statement timed out');
      try {
        const outcome = run<never>(query);
        return await (isUnhurried ? outcome : withTimeout(PATIENCE_MS, outcome));
      } catch (error) {
        hasTimedOut = error instanceof TimeoutError;
        throw isRefusal(error) ? error : new ConnectionError(error);
      }
    };
    isUnhurried = patientNodes.has(query.query) || (isInTransaction && isUnhurried);
    if (query.sql === 'begin') isInTransaction = true;
    try {
      return await (isInTransaction ? once() : retryConflicts(once));
    } finally {
      if (query.sql === 'commit' || query.sql === 'rollback') isInTransaction = false;
    }
  };
}
