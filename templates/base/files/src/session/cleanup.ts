import { setImmediate } from 'node:timers/promises';
import { now } from '../clock.js';
import { inTransaction, type Services } from '../services.js';

const HOUR = 60 * 60 * 1000;

/** Deletes expired sessions and one-time tokens; returns the number of sessions. */
export async function deleteExpiredSessions(services: Services): Promise<number> {
  await services.oneTimeTokens.deleteExpired(now());
  let count = 0;
  for await (const ids of expiredSessions(services)) count += await deleteSessions(services, ids);
  return count;
}

/** Found by going through all sessions: an index of their ends would have to be rewritten with each refresh. */
async function* expiredSessions({ sessions }: Services): AsyncGenerator<string[]> {
  let found = await sessions.findExpired(now());
  while (found) {
    if (found.ids.length > 0) yield found.ids;
    // A database that is read on this thread must let requests have their turn.
    await setImmediate();
    found = await sessions.findExpired(now(), found.last);
  }
}

function deleteSessions(services: Services, ids: string[]): Promise<number> {
  return inTransaction(services, async ({ sessions, events }) => {
    const expired = await sessions.deleteExpired(ids, now());
    for (const { id, userId } of expired) {
      events.publish('identity.session.expired', { sessionId: id }, { userId });
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
