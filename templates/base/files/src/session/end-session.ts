import { credentials } from '../credentials.js';
import type { EventCause } from '../events/bus.js';
import { type Services, withEvents } from '../services.js';

/** Why, in a word, as events tell it: `logout`, `revoked`, `reuse`, or a feature's own. */
export type RevocationReason = string;

/** What made a session end; whose it was, the session itself says. */
type Cause = Omit<EventCause, 'userId'>;

/** Ends one session of a user; false if they have no such session. */
export async function endSession(
  services: Services,
  cause: Cause,
  session: { id: string; userId: string },
  reason: RevocationReason,
): Promise<boolean> {
  return withEvents(services, async (inside) => {
    const wasEnded = await inside.sessions.revoke(session.id, session.userId);
    if (wasEnded) publishEnd(inside, cause, session, reason);
    return wasEnded;
  });
}

/** Ends all sessions of a user but `keptId`, and sign-ins that are half way. */
export async function endSessionsOfUser(
  services: Services,
  cause: Cause,
  userId: string,
  reason: RevocationReason,
  keptId?: string,
): Promise<void> {
  await withEvents(services, async (inside) => {
    for (const { stopSignIns } of credentials) await stopSignIns?.(inside, userId);
    for (const id of await inside.sessions.revokeAllOfUser(userId, keptId)) {
      publishEnd(inside, cause, { id, userId }, reason);
    }
  });
}

function publishEnd(
  { events }: Services,
  cause: Cause,
  { id, userId }: { id: string; userId: string },
  reason: RevocationReason,
): void {
  events.publish('identity.session.revoked', { sessionId: id, reason }, { ...cause, userId });
}
