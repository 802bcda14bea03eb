import { now } from '../clock.js';
import { isMissingReference } from '../db/errors.js';
import { refuse } from '../http/errors.js';
import type { RequestFacts } from '../http/request.js';
import { randomId } from '../random.js';
import { type Services, withEvents } from '../services.js';
import type { Session } from './session.js';

/**
 * Opens a session for a user who has just proved who they are. It gets a new id whatever the
 * request carried, so nobody can fix a session beforehand. Throws INVALID_TOKEN if a parallel request
 * has deleted the account.
 */
export async function startSession(
  services: Services,
  request: RequestFacts,
  userId: string,
  method: string,
): Promise<Session> {
  const time = now();
  const session: Session = {
    id: randomId(),
    userId,
    method,
    createdAt: time,
    authenticatedAt: time,
    lastActiveAt: time,
    expiresAt: expiryOf(services, time, time),
    refreshId: randomId(),
    usedRefreshIds: [],
    rotatedAt: time,
    userAgent: request.userAgent,
    ipAddress: request.ip,
  };
  await withEvents(services, async (inside) => {
    await inside.sessions.create(session);
    publishStart(inside, request, session);
  }).catch((error) => {
    throw isMissingReference(error) ? refuse('INVALID_TOKEN') : error;
  });
  return session;
}

function publishStart(services: Services, request: RequestFacts, session: Session): void {
  const { id: sessionId, userId, method, userAgent, ipAddress } = session;
  const data = { sessionId, method, userAgent, ipAddress };
  services.events.publish('identity.session.created', data, { userId, request });
}

/** When a session ends unless it is refreshed: never later than SESSION_MAX_AGE after its start. */
export function expiryOf(services: Services, createdAt: number, time: number): number {
  const { REFRESH_TOKEN_TTL, SESSION_MAX_AGE } = services.config;
  return Math.min(time + REFRESH_TOKEN_TTL, createdAt + SESSION_MAX_AGE);
}
