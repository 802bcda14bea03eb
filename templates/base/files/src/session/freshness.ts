import { now } from '../clock.js';
import { refuse } from '../http/errors.js';
import type { Services } from '../services.js';
import type { Caller } from './caller.js';

/** True if the caller proved who they are within REAUTH_WINDOW (ASVS 7.5.1). */
export async function isFresh(services: Services, caller: Caller): Promise<boolean> {
  const session = await services.sessions.find(caller.sessionId);
  if (!session) return false;
  return now() - session.authenticatedAt <= services.config.REAUTH_WINDOW;
}

/** Throws REAUTHENTICATION_REQUIRED unless the caller's sign-in is recent. */
export async function requireFreshSignIn(services: Services, caller: Caller): Promise<void> {
  if (!(await isFresh(services, caller))) throw refuse('REAUTHENTICATION_REQUIRED');
}
