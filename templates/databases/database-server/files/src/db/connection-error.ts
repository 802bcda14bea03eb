import { reasonOf } from '../process/log.js';

/**
 * The server was not reached, or the connection was lost: what the statement did is unknown. The message
 * has the driver's reason, which contains no credentials; as a `cause` it would be printed and logged twice.
 */
export class ConnectionError extends Error {
  constructor(cause: unknown) {
    super(`The database does not answer: ${reasonOf(cause)}`);
    this.name = 'ConnectionError';
  }
}
