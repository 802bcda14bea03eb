import type { Services } from '../services.js';
import type { ServiceEvent } from './bus.js';

/**
 * Writes events to the database, in the transaction that caused them: they are there if, and only
 * if, the change is. A recorder that throws undoes the change.
 */
export type EventRecorder = (inside: Services, events: ServiceEvent[]) => Promise<void>;
