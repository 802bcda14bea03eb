import {
  domain,
  emailAddress,
  mailbox,
  originList,
  originUrl,
  pageUrl,
  pathPrefix,
  proxies,
  smtpUrl,
} from './address-parsers.js';
import { bytes, duration, oneOf, onOff, text, wholeNumber } from './parsers.js';
import { secretList } from './secrets.js';

/** The variables of every service. Defaults that depend on other variables are in defaults.ts. */
export const baseVariables = {
  NODE_ENV: oneOf('development', 'test', 'production').prefault('development'),
  HOST: text().prefault('127.0.0.1'),
  PORT: wholeNumber(0, 65_535).prefault('3000'),
  BASE_URL: originUrl(),
  APP_URL: pageUrl(),
  ALLOWED_ORIGINS: originList(),
  AUTH_PREFIX: pathPrefix().prefault('/auth'),
  TRUST_PROXY: proxies().prefault('0'),
  BODY_LIMIT: bytes().prefault('100kb'),
  REQUEST_TIMEOUT: duration().prefault('30s'),
  MIGRATE_ON_START: onOff(),

  ACCESS_TOKEN_SECRET: secretList(),
  REFRESH_TOKEN_SECRET: secretList(),
  ACCESS_TOKEN_TTL: duration().prefault('15m'),
  REFRESH_TOKEN_TTL: duration().prefault('7d'),
  SESSION_MAX_AGE: duration().prefault('30d'),
  REFRESH_REUSE_WINDOW: duration(0).prefault('10s'),
  REAUTH_WINDOW: duration().prefault('15m'),
  SESSION_CHECK: oneOf('all', 'refresh').prefault('all'),
  CSRF: onOff().prefault('on'),
  COOKIE_DOMAIN: domain().optional(),
  COOKIE_SAMESITE: oneOf('lax', 'strict', 'none').prefault('lax'),

  SMTP_URL: smtpUrl().optional(),
  MAIL_FROM: mailbox(),

  RATE_LIMIT: onOff().prefault('on'),
  BOOTSTRAP_ADMIN_EMAIL: emailAddress().optional(),
  LOG_LEVEL: oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent').prefault('info'),
  OPENAPI: onOff(),
};
