import type { ErrorCode } from '../../error-codes.js';
import type { Route } from '../../http/route.js';

/** Codes of a caller without a recent sign-in, beside REAUTHENTICATION_REQUIRED. */
export const staleErrors: ErrorCode[] = [];

/** What a caller without a recent sign-in is told: to sign in again. */
export const codeForStale: Route['staleCode'] = async () => 'REAUTHENTICATION_REQUIRED';
