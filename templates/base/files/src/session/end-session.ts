import type { RequestFacts } from '../http/request.js';
import { type Services, withEvents } from '../services.js';

/** Why, in a word, as events tell it: `logout`, `revoked`, `reuse`, or a feature's own. */
export type RevocationReason = string;

/** Ends one session of a user; false if they have no such session. */
export async function endSession(
  services: Services,
  request: RequestFacts,
  session: { id: string; userId: string },
  reason: RevocationReason,
): Promise<boolean> {
  return withEvents(services, async (inside) => {
    const wasEnded = await inside.sessions.revoke(session.id, session.userId);
    if (wasEnded) publishEnd(inside, request, session.id, session.userId, reason);
    return wasEnded;
  });
}

/** Ends all sessions of a user but `keptId`. */
export async function endSessionsOfUser(
  services: Services,
  request: RequestFacts,
  userId: string,
  reason: RevocationReason,
  keptId?: string,
): Promise<void> {
  await withEvents(services, async (inside) => {
    for (const id of await inside.sessions.revokeAllOfUser(userId, keptId)) {
      publishEnd(inside, request, id, userId, reason);
    }
  });
}

function publishEnd(
  services: Services,
  request: RequestFacts,
  sessionId: string,
  userId: string,
  reason: RevocationReason,
): void {
  const { correlationId } = request;
  services.events.publish(
    'identity.session.revoked',
    { sessionId, reason },
    { userId, correlationId },
  );
}
