import type { IncomingMessage } from 'node:http';
import type { ErrorCode } from '../error-codes.js';
import { type HttpError, refuse } from './errors.js';

const CODES = new Map<unknown, ErrorCode>([
  [400, 'VALIDATION_FAILED'],
  [401, 'INVALID_TOKEN'],
  [403, 'FORBIDDEN'],
  [404, 'NOT_FOUND'],
  [405, 'METHOD_NOT_ALLOWED'],
  [408, 'REQUEST_TIMEOUT'],
  [413, 'BODY_TOO_LARGE'],
  [415, 'UNSUPPORTED_MEDIA_TYPE'],
  [429, 'RATE_LIMITED'],
  [503, 'UNAVAILABLE'],
]);

/** What a request failed with that the framework, a library or a route of yours threw at; a refusal if it is none of a defect. */
export function failureBehind(error: unknown, request: IncomingMessage): unknown {
  // The client has left in the middle of its body: nobody is to blame, and nobody there to be told.
  if (request.destroyed && !request.complete) return refuse('INVALID_JSON');
  return exposed(error) ?? error;
}

/**
 * By the convention of http-errors, `expose` says that status and message are meant for the client. What has
 * a status alone may be what another service answered: its 401 must not sign our user out.
 */
function exposed(error: unknown): HttpError | undefined {
  if (!(error instanceof Error && 'expose' in error && error.expose === true)) return undefined;
  const code = CODES.get('status' in error ? error.status : undefined);
  return code && refuse(code, { message: error.message });
}
