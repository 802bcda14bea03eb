import type { ErrorCode } from '../../error-codes.js';
import type { Route } from '../../http/route.js';

/** Codes of a caller without a recent sign-in, beside REAUTHENTICATION_REQUIRED. */
export const staleErrors: ErrorCode[] = ['PASSWORD_REQUIRED'];

/**
 * What a caller without a recent sign-in is told. Whoever has a password can prove themselves in the same
 * form: a 403 would send them, and clients that react to it, through a whole sign-in for nothing.
 */
export const codeForStale: Route['staleCode'] = async (services, { user }) => {
  const hash = await services.password.findHash(user.id);
  return hash === undefined ? 'REAUTHENTICATION_REQUIRED' : 'PASSWORD_REQUIRED';
};
