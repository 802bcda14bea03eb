import { createRequire } from 'node:module';
import { type DestinationStream, type Logger, pino } from 'pino';
import type { Config } from './config.js';

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
];

/** A `code` elsewhere is an error's, which a log without would be worth little. */
const SECRET_CODES = ['body.code', '*.body.code', 'query.code', '*.query.code'];

/**
 * The service's log on standard output, from LOG_LEVEL upwards: JSON lines in production, text for
 * people otherwise; as JSON lines into `destination` if there is one. Fields that carry
 * secrets are struck out down to three levels, should one ever be logged by mistake (ASVS 16.2.5).
 */
export function createLog(config: Config, destination?: DestinationStream): Log {
  const options = {
    level: config.LOG_LEVEL,
    redact: { paths: [...SECRET_KEYS.flatMap(pathsOf), ...SECRET_CODES], censor: '[redacted]' },
  };
  if (destination) return pino(options, destination);
  return config.isProduction ? pino(options) : pino(options, textForPeople());
}

function pathsOf(key: string): string[] {
  return [`["${key}"]`, `*["${key}"]`, `*.*["${key}"]`];
}

/**
 * In this thread and synchronous: the last lines before a crash are the ones that matter. The
 * formatter is loaded here, so that production starts without it.
 */
function textForPeople() {
  const pretty: typeof import('pino-pretty') = require('pino-pretty');
  return pretty({
    sync: true,
    colorize: process.stdout.isTTY === true && !process.env.NO_COLOR,
    translateTime: 'SYS:HH:MM:ss.l',
    ignore: 'pid,hostname',
  });
}
