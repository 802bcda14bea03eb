import type { Route } from '../../http/route.js';

/** What a caller without a recent sign-in is told: to sign in again. */
export const codeForStale: Route['staleCode'] = async () => 'REAUTHENTICATION_REQUIRED';
