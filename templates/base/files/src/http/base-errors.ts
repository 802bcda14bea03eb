/**
 * Codes that every service answers with. 401 and 403 are reserved for session credentials, since
 * clients react to them by refreshing and resubmitting; wrong input anywhere else is 400.
 */
export const baseErrors = {
  INVALID_REQUEST: { status: 400, message: 'This is not a request of HTTP/1.1.' },
  INVALID_JSON: { status: 400, message: 'The body is not valid JSON.' },
  VALIDATION_FAILED: { status: 400, message: 'Some fields are missing or wrong.' },
  INVALID_TOKEN: { status: 401, message: 'Sign in to continue.' },
  INVALID_REFRESH_TOKEN: { status: 401, message: 'The refresh token is not valid.' },
  SESSION_REVOKED: { status: 401, message: 'This session has ended. Sign in again.' },
  FORBIDDEN: { status: 403, message: 'You are not allowed to do this.' },
  ACCOUNT_DISABLED: { status: 403, message: 'This account is disabled.' },
  CSRF_INVALID: { status: 403, message: 'The X-CSRF-Token header does not match this session.' },
  ORIGIN_NOT_ALLOWED: { status: 403, message: 'Requests from this origin are not allowed.' },
  REAUTHENTICATION_REQUIRED: { status: 403, message: 'Sign in again to do this.' },
  NOT_FOUND: { status: 404, message: 'There is nothing here.' },
  SESSION_NOT_FOUND: { status: 404, message: 'You have no such session.' },
  METHOD_NOT_ALLOWED: { status: 405, message: 'This path does not take this method.' },
  REQUEST_TIMEOUT: { status: 408, message: 'The request took too long to arrive.' },
  BODY_TOO_LARGE: { status: 413, message: 'The body is too large.' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, message: 'Send the body as application/json.' },
  RATE_LIMITED: { status: 429, message: 'Too many requests. Try again later.' },
  HEADERS_TOO_LARGE: { status: 431, message: 'The headers are too large.' },
  INTERNAL: { status: 500, message: 'Something went wrong on our side.' },
  NOT_IMPLEMENTED: { status: 501, message: 'This is not available.' },
  UNAVAILABLE: { status: 503, message: 'The service is busy or not ready. Try again shortly.' },
} as const;
