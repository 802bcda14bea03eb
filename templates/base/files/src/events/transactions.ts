import type { Db } from '../db/schema.js';
import { retryConflicts } from '../db/transaction.js';
import type { Services, Stores } from '../services.js';
import { type Act, createEventBus, type EventName, type ServiceEvent } from './bus.js';

/**
 * Runs `work` in a transaction, again if it lost against another transaction; then announces its
 * events. Runs without a transaction if `frequent` names its one event and nobody records that.
 */
export async function runTransaction<T>(
  services: Services,
  createStores: (db: Db) => Stores,
  work: (tx: Services) => Promise<T>,
  frequent?: EventName,
): Promise<T> {
  const isRecorded = frequent === undefined || (await isAwaited(services, frequent));
  const attempt = async () => {
    // Held back: an event that is rolled back must never have been announced.
    const held: ServiceEvent[] = [];
    const events = createEventBus((event) => held.push(event));
    if (!isRecorded) return { result: await work({ ...services, events }), held };
    const result = await services.db.transaction().execute(async (db) => {
      const tx: Services = {
        ...services,
        ...createStores(db),
        db,
        events,
        transaction: (inner) => inner(tx),
      };
      const worked = await work(tx);
      for (const event of held)
        for (const { recorder } of tx.features) await recorder?.record(tx, event);
      return worked;
    });
    return { result, held };
  };
  const { result, held } = await retryConflicts(attempt);
  for (const event of held) announce(services, event);
  const recorders = isRecorded && held.length > 0 ? services.features : [];
  for (const { recorder } of recorders) recorder?.committed?.(services);
  return result;
}

async function isAwaited(services: Services, event: EventName): Promise<boolean> {
  const answers = services.features.map(({ recorder }) => recorder?.awaits?.(services, event));
  return (await Promise.all(answers)).includes(true);
}

/** An event published outside a transaction gets one of its own, off the request path. */
export function publishAlone({ background, transaction }: Services, event: ServiceEvent): void {
  background.run(`record ${event.event}`, () =>
    transaction(async ({ events }) => events.take(event)),
  );
}

/**
 * Hands an event to the log and the subscribers. Subscribers run after the request, each on its
 * own: one that throws is logged and fails neither the request nor another subscriber.
 */
function announce({ background, log, subscribers }: Services, event: ServiceEvent): void {
  // Refused sign-ins are logged, with their reason, by `session/finish-login.ts`.
  if (event.event !== 'identity.auth.login.failed') {
    log.info({ event: event.event, ...event.metadata }, 'event');
  }
  for (const subscriber of subscribers) {
    background.run(`subscriber of ${event.event}`, async () => subscriber(event));
  }
}

export async function recordAct(tx: Services, act: Act): Promise<void> {
  for (const { recorder } of tx.features) await recorder?.recordAct?.(tx, act);
}
