import type { Db } from '../db/schema.js';
import { retryConflicts, retryOnMissingReference } from '../db/transaction.js';
import type { Services, Stores } from '../services.js';
import { type Act, type EventName, holdEvents, type ServiceEvent } from './bus.js';

type Work<T> = (tx: Services) => Promise<T>;
type Announce = (event: ServiceEvent) => void;
/** What a transaction returned, and the events to announce after it. */
type Done<T> = { result: T; held: ServiceEvent[] };

/**
 * Runs `work` in a transaction, again if it lost against another one; then announces its events. Without a
 * transaction if `frequent` names its one event and nobody keeps that.
 */
export async function runTransaction<T>(
  services: Services,
  createStores: (db: Db) => Stores,
  announce: Announce,
  work: Work<T>,
  frequent?: EventName,
): Promise<T> {
  const attempt =
    frequent === undefined || (await isAwaited(services, frequent))
      ? () => runOnce(services, createStores, work)
      : () => runUnrecorded(services, work);
  const { result, held } = await retryOnMissingReference(() => retryConflicts(attempt));
  for (const event of held) announce(event);
  return result;
}

async function isAwaited(services: Services, event: EventName): Promise<boolean> {
  for (const { recorder } of services.features) {
    if (await recorder?.awaits(services, event)) return true;
  }
  return false;
}

async function runUnrecorded<T>(services: Services, work: Work<T>): Promise<Done<T>> {
  const events = holdEvents();
  return { result: await work({ ...services, events }), held: events.held };
}

async function runOnce<T>(
  services: Services,
  createStores: (db: Db) => Stores,
  work: Work<T>,
): Promise<Done<T>> {
  const events = holdEvents();
  const result = await services.db.transaction().execute(async (db) => {
    const tx: Services = {
      ...services,
      ...createStores(db),
      db,
      events,
      transaction: (inner) => inner(tx),
    };
    const worked = await work(tx);
    await recordEvents(tx, events.held);
    return worked;
  });
  return { result, held: events.held };
}

/** Hands events to every recorder, in the transaction that causes them. */
export async function recordEvents(tx: Services, events: ServiceEvent[]): Promise<void> {
  if (events.length === 0) return;
  for (const { recorder } of tx.features) await recorder?.record(tx, events);
}

/** Hands what was done to every recorder, in the transaction that does it. */
export async function recordAct(tx: Services, act: Act): Promise<void> {
  for (const { recorder } of tx.features) await recorder?.recordAct?.(tx, act);
}
