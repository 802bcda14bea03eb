import { createRequire } from 'node:module';
import { type DestinationStream, type Logger, pino } from 'pino';
import type { Config } from '../config.js';

export type Log = Logger;

const require = createRequire(import.meta.url);

const SECRET_KEYS = [
  'authorization',
  'cookie',
  'set-cookie',
  'password',
  'newPassword',
  'currentPassword',
  'token',
  'tempToken',
  'accessToken',
  'refreshToken',
  'secret',
  'hash',
  // Of the errors of database drivers: the statement with its values, and the row.
  'sql',
  'detail',
];
const SECRET_PATHS = SECRET_KEYS.flatMap((key) => [`["${key}"]`, `*["${key}"]`, `*.*["${key}"]`]);

/** A `code` elsewhere is an error code, which the log needs. */
const SECRET_CODES = ['body.code', '*.body.code', 'query.code', '*.query.code'];

/**
 * The service's log on standard output, from LOG_LEVEL upwards: JSON lines in production, text for
 * people otherwise; JSON lines into `destination` if it is given. Fields that carry secrets are
 * redacted down to three levels, should one ever be logged by mistake (ASVS 16.2.5).
 */
export function createLog(config: Config, destination?: DestinationStream): Log {
  const options = {
    level: config.LOG_LEVEL,
    redact: { paths: [...SECRET_PATHS, ...SECRET_CODES], censor: '[redacted]' },
  };
  const text = config.isProduction ? undefined : textForPeople();
  return pino(options, destination ?? text ?? standardOutput());
}

/** Written synchronously, as Node itself writes to pipes. On a full disk a million characters wait; the rest is lost. */
function standardOutput() {
  const output = pino.destination({ dest: 1, sync: true, maxLength: 1_000_000 });
  return output.on('error', () => {});
}

/**
 * In this thread and synchronous: the last lines before a crash are the ones that matter. Undefined
 * where development dependencies are not installed: the log is JSON lines then too.
 */
function textForPeople() {
  try {
    const pretty: typeof import('pino-pretty') = require('pino-pretty');
    return pretty({
      sync: true,
      colorize: process.stdout.isTTY === true && !process.env.NO_COLOR,
      translateTime: 'SYS:HH:MM:ss.l',
      ignore: 'pid,hostname',
    });
  } catch {
    return undefined;
  }
}

/**
 * Logs once when something that the service needs begins to fail and once when it works again, however many requests
 * notice. Only the message is logged: errors of some drivers contain the command and its arguments, even credentials.
 */
export function logOutage(log: Log, during: string, after: string) {
  let isFailing = false;
  return {
    begin(error: unknown): void {
      if (!isFailing) log.error({ reason: reasonOf(error) }, during);
      isFailing = true;
    },
    end(): void {
      if (isFailing) log.info(after);
      isFailing = false;
    },
  };
}

export type Outage = ReturnType<typeof logOutage>;

/** An error's message and that of its cause. A host name with several addresses fails with one error for each. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join(', ');
  if (!(error instanceof Error)) return String(error);
  // Without a cause it is a mistake in the code, which its stack locates.
  if (error instanceof TypeError && !error.cause) return error.stack ?? error.message;
  const cause = error.cause instanceof Error ? reasonOf(error.cause) : '';
  // Some drivers repeat it in their own message.
  return error.message.includes(cause) ? error.message : `${error.message}: ${cause}`;
}
