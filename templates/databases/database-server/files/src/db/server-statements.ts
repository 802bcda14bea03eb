import { ConnectionError } from './connection-error.js';
import type { Run } from './database.js';
import { retryConflicts } from './transaction.js';

/**
 * Runs statements on one connection. A statement that lost a conflict is retried; in a transaction the whole
 * transaction is, by `services.transaction`. An error that is not the server's own (`isRefusal`) becomes a
 * ConnectionError.
 */
export function retryingStatements(run: Run, isRefusal: (error: unknown) => boolean): Run {
  let isInTransaction = false;
  return async (query) => {
    const once = async () => {
      try {
        return await run<never>(query);
      } catch (error) {
        throw isRefusal(error) ? error : new ConnectionError(error);
      }
    };
    if (query.sql === 'begin') isInTransaction = true;
    try {
      return await (isInTransaction ? once() : retryConflicts(once));
    } finally {
      if (query.sql === 'commit' || query.sql === 'rollback') isInTransaction = false;
    }
  };
}
