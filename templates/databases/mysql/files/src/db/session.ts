/** What takes longer is stuck: every query here is a look-up by an index. */
const STATEMENT_LIMIT_SECONDS = 30;
/** Deadlocks are found at once; who waits this long waits for a transaction that hangs, and tries again. */
const LOCK_WAIT_SECONDS = 2;

/** MariaDB cuts what it aggregates into JSON at 1 MB, and such a text is none: nobody could sign in with it. */
const AGGREGATE_BYTES = 2 ** 30;

/**
 * What each connection starts with, the same whatever the server's defaults are: nothing is cut to
 * fit, and each statement sees what is committed when it begins. The stores rely on it: after a lost
 * race the next statement finds what the winner made.
 */
export const sessionStatements = [
  `set session sql_mode = 'STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION'`,
  'set session transaction isolation level read committed',
  `set session group_concat_max_len = ${AGGREGATE_BYTES}`,
  `set session innodb_lock_wait_timeout = ${LOCK_WAIT_SECONDS}`,
  statementLimit(STATEMENT_LIMIT_SECONDS),
];

/** Migrations, and other instances waiting for them, may take longer than a request's statement. */
export const withoutStatementLimit = statementLimit(0);
export const withStatementLimit = statementLimit(STATEMENT_LIMIT_SECONDS);

/** MySQL and MariaDB call it differently; each reads the comment that is meant for it. */
function statementLimit(seconds: number): string {
  return `set session /*!80000 max_execution_time = ${seconds * 1000} */ /*M!100600 max_statement_time = ${seconds} */`;
}
