import { AuthorizationResponseError } from 'openid-client';
import { HttpError, refuse } from '../../http/errors.js';
import type { Services } from '../../services.js';

/** RFC 6749 §4.1.2.1 and its extensions: lower-case words. Nothing else of an answer reaches the app's URL. */
const ERROR_CODE = /^[a-z_]{1,64}$/;

/** Why a sign-in at a provider failed, as a code for the login page. */
export interface Failure {
  code: string;
  /** What the page gets besides, out of sight of servers and logs. */
  fields?: Record<string, unknown> | undefined;
}

/**
 * Makes a code of whatever was thrown on the way. What the provider said is passed on; an answer that
 * does not check (issuer, nonce, signature, PKCE) or did not come is OAUTH_FAILED. The log gets the
 * message alone: openid-client's causes carry tokens.
 */
export function asFailure(services: Services, provider: string, error: unknown): Failure {
  if (error instanceof HttpError) return { code: error.code, fields: error.extra.fields };
  const message = error instanceof Error ? error.message : String(error);
  services.log.warn({ provider, reason: message }, 'sign-in at a provider failed');
  const isAnswer = error instanceof AuthorizationResponseError && ERROR_CODE.test(error.error);
  return { code: isAnswer ? error.error : refuse('OAUTH_FAILED').code };
}
