import { now } from '../clock.js';
import type { Services } from '../services.js';

const HOUR = 60 * 60 * 1000;

/** Deletes expired sessions and one-time tokens; returns the number of sessions. */
export async function deleteExpiredSessions(services: Services): Promise<number> {
  const expired = await services.sessions.deleteExpired(now());
  for (const { id, userId } of expired) {
    services.events.publish('identity.session.expired', { sessionId: id }, { userId });
  }
  await services.oneTimeTokens.deleteExpired(now());
  return expired.length;
}

/** Cleans up every hour; the returned function stops it. */
export function cleanUpHourly(services: Services): () => void {
  const timer = setInterval(() => {
    services.background.run('session cleanup', async () => {
      await deleteExpiredSessions(services);
    });
  }, HOUR);
  timer.unref();
  return () => clearInterval(timer);
}
