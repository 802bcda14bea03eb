import type { Background } from '../background.js';
import { now } from '../clock.js';
import type { Log } from '../log.js';
import type { EventMap } from './event-map.js';

export type EventName = keyof EventMap;

/** Whom an event concerns, and which request caused it. */
export interface EventSubject {
  userId?: string;
  tenantId?: string;
  correlationId?: string;
}

/** Something that happened. `timestamp` is ISO 8601 UTC. */
export type ServiceEvent = {
  [Name in EventName]: {
    event: Name;
    timestamp: string;
    data: EventMap[Name];
    metadata: EventSubject;
  };
}[EventName];

export interface EventBus {
  publish<Name extends EventName>(event: Name, data: EventMap[Name], subject: EventSubject): void;
}

/** Reacts to an event after it has happened. */
export type Subscriber = (event: ServiceEvent) => void | Promise<void>;

export interface RootEventBus extends EventBus {
  subscribe(subscriber: Subscriber): void;
  /** Tells the log and the subscribers of an event that is recorded already. */
  announce(event: ServiceEvent): void;
}

/**
 * The event bus. Subscribers run after the request, each on its own: one that throws is logged and
 * fails neither the request nor another subscriber. What is published here, outside of a
 * transaction, changed nothing: it is handed to `record` off the request path.
 */
export function createEventBus(
  log: Log,
  background: Background,
  record: (event: ServiceEvent) => Promise<void>,
): RootEventBus {
  const subscribers: Subscriber[] = [];

  function announce(event: ServiceEvent): void {
    log.info({ event: event.event, ...event.metadata }, 'event');
    for (const subscriber of subscribers) {
      background.run(`subscriber of ${event.event}`, async () => subscriber(event));
    }
  }

  return {
    announce,
    subscribe(subscriber) {
      subscribers.push(subscriber);
    },
    publish(...published) {
      const event = eventOf(...published);
      background.run(`record ${event.event}`, () => record(event));
      announce(event);
    },
  };
}

/** Holds the events of a transaction back: what it undoes must never have been announced. */
export function holdEvents(): EventBus & { held: ServiceEvent[] } {
  const held: ServiceEvent[] = [];
  return {
    held,
    publish(...published) {
      held.push(eventOf(...published));
    },
  };
}

function eventOf<Name extends EventName>(
  event: Name,
  data: EventMap[Name],
  metadata: EventSubject,
): ServiceEvent {
  return { event, timestamp: new Date(now()).toISOString(), data, metadata } as ServiceEvent;
}
