import type { Db } from '../db/schema.js';
import { retryConflicts, retryOnMissingReference } from '../db/transaction.js';
import type { Services, Stores } from '../services.js';
import { type Act, type EventName, holdEvents, type ServiceEvent } from './bus.js';

type Work<T> = (tx: Services) => Promise<T>;
type Announce = (event: ServiceEvent) => void;

/** Runs `work` in a transaction, again if it lost against another one; then announces its events. */
export async function runTransaction<T>(
  services: Services,
  createStores: (db: Db) => Stores,
  announce: Announce,
  work: Work<T>,
): Promise<T> {
  const { result, held } = await retryOnMissingReference(() =>
    retryConflicts(() => runOnce(services, createStores, work)),
  );
  for (const event of held) announce(event);
  return result;
}

async function runOnce<T>(
  services: Services,
  createStores: (db: Db) => Stores,
  work: Work<T>,
): Promise<{ result: T; held: ServiceEvent[] }> {
  const events = holdEvents();
  const result = await services.db.transaction().execute(async (db) => {
    const tx: Services = {
      ...services,
      ...createStores(db),
      db,
      events,
      transaction: (inner) => inner(tx),
      withEvents: (inner) => inner(tx),
    };
    const worked = await work(tx);
    await recordEvents(tx, events.held);
    return worked;
  });
  return { result, held: events.held };
}

/** Runs `work` in a transaction if a recorder keeps its events; without one otherwise. */
export async function runWithEvents<T>(
  services: Services,
  announce: Announce,
  work: Work<T>,
  frequent?: EventName,
): Promise<T> {
  const recorders = services.features.flatMap(({ recorder }) => recorder ?? []);
  if (frequent === undefined) {
    return recorders.length > 0 ? services.transaction(work) : work(services);
  }
  for (const { awaits } of recorders) {
    if (await awaits(services, frequent)) return services.transaction(work);
  }
  const events = holdEvents();
  const result = await work({ ...services, events });
  for (const event of events.held) announce(event);
  return result;
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
