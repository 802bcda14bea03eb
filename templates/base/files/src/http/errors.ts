import { type ErrorCode, errorCodes } from '../error-codes.js';

export interface ErrorDetails {
  /** Replaces the code's own sentence. */
  message?: string;
  /** One entry for each wrong field. */
  details?: { path: string; message: string }[];
  headers?: Record<string, string>;
  /** The session that a new CSRF token must be good for. */
  sessionId?: string;
  /** Further fields of the answer. */
  fields?: Record<string, unknown>;
}

/** The one error that a wrong request throws; `answer` turns it into a reply. */
export class HttpError extends Error {
  readonly status: number;

  constructor(
    readonly code: ErrorCode,
    readonly extra: ErrorDetails = {},
  ) {
    super(extra.message ?? errorCodes[code].message);
    this.name = 'HttpError';
    this.status = errorCodes[code].status;
  }
}

/** `throw refuse('INVALID_TOKEN')`: the request ends with that code's status and sentence. */
export function refuse(code: ErrorCode, extra?: ErrorDetails): HttpError {
  return new HttpError(code, extra);
}
