import type { EventName } from '../src/events/bus.js';
import type { TestService } from './service.js';

/** Starts a service and does something to it through the front door, or where there is none, as a timer or a command would. */
export type EventCase = () => Promise<TestService>;

/** For each event what brings it about, in the words of the table in the docs. */
export type EventCases = { [Name in EventName]?: Record<string, EventCase> };
