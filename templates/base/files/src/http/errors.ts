import type { ErrorCode } from '../feature.js';
import type { Result } from './route.js';

/**
 * The codes of every service; `exposedError` maps a status to the first code that has it. 401 and 403 are reserved
 * for session credentials, since clients react to them by refreshing and resubmitting; any other wrong input is 400.
 */
export const httpErrors = {
  VALIDATION_FAILED: [400, 'Some fields are missing or wrong.'],
  INVALID_JSON: [400, 'The body is not valid JSON.'],
  INVALID_TOKEN: [401, 'Sign in to continue.'],
  SESSION_REVOKED: [401, 'This session has ended. Sign in again.'],
  FORBIDDEN: [403, 'You are not allowed to do this.'],
  ACCOUNT_DISABLED: [403, 'This account is disabled.'],
  CSRF_INVALID: [403, 'The X-CSRF-Token header does not match this session.'],
  ORIGIN_NOT_ALLOWED: [403, 'Requests from this origin are not allowed.'],
  REAUTHENTICATION_REQUIRED: [403, 'Sign in again to do this.'],
  NOT_FOUND: [404, 'There is nothing here.'],
  METHOD_NOT_ALLOWED: [405, 'Method not allowed for this path.'],
  BODY_TOO_LARGE: [413, 'The body is too large.'],
  UNSUPPORTED_MEDIA_TYPE: [415, 'Send application/json (or, if documented, a form), uncompressed.'],
  RATE_LIMITED: [429, 'Too many requests. Try again later.'],
  INTERNAL: [500, 'Something went wrong on our side.'],
  NOT_IMPLEMENTED: [501, 'This is not available.'],
  UNAVAILABLE: [503, 'The service is busy or not ready. Try again shortly.'],
} as const;

interface ErrorDetails extends Pick<Result, 'headers' | 'cookies'> {
  /** Replaces the code's own sentence. */
  message?: string;
  /** One entry for each wrong field. */
  details?: { path: string; message: string }[];
  /** The account whose sign-in was refused, if it is known; `isProven` after a right first factor. */
  attempt?: { userId: string; isProven: boolean };
  /** The session that a new CSRF token is bound to. */
  sessionId?: string;
  /** Further fields of the response. */
  fields?: Record<string, unknown>;
}

/** The one error that refuses a request; `answer` turns it into a response. */
export class HttpError extends Error {
  constructor(
    readonly code: ErrorCode,
    readonly extra: ErrorDetails = {},
  ) {
    super(extra.message ?? code);
    this.name = 'HttpError';
  }
}

/** `throw refuse('INVALID_TOKEN')`: the request ends with that code's status and sentence. */
export function refuse(code: ErrorCode, extra?: ErrorDetails): HttpError {
  return new HttpError(code, extra);
}

/**
 * Maps client errors thrown by libraries and your own routes to our codes; undefined for anything
 * else. By the convention of http-errors, `expose` says that status and message are meant for the
 * client. A status without it may come from another service, whose 401 must not sign our user out.
 */
export function exposedError(error: unknown): HttpError | undefined {
  if (!(error instanceof Error && 'expose' in error && error.expose === true)) return undefined;
  const status = 'status' in error ? error.status : undefined;
  const codes = Object.keys(httpErrors) as (keyof typeof httpErrors)[];
  const code = codes.find((each) => httpErrors[each][0] === status);
  return code && refuse(code, { message: error.message });
}
