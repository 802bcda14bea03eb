import type { Services } from '../services.js';
import type { EventName, ServiceEvent } from './bus.js';

/** Keeps events in the database. */
export interface EventRecorder {
  /** Whether anything would be kept of such an event, of no tenant in particular, if it happened now. */
  awaits(services: Services, event: EventName): Promise<boolean>;
  /**
   * Writes events in the transaction that caused them: they are there if, and only if, the change
   * is. Throwing undoes the change.
   */
  record(inside: Services, events: ServiceEvent[]): Promise<void>;
}
