import { now } from '../clock.js';
import { inTransaction, type Services } from '../services.js';

const HOUR = 60 * 60 * 1000;

/** Deletes expired sessions and one-time tokens; returns the number of sessions. */
export async function deleteExpiredSessions(services: Services): Promise<number> {
  await services.oneTimeTokens.deleteExpired(now());
  return inTransaction(services, async (inside) => {
    const expired = await inside.sessions.deleteExpired(now());
    for (const { id, userId } of expired) {
      inside.events.publish('identity.session.expired', { sessionId: id }, { userId });
    }
    return expired.length;
  });
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
