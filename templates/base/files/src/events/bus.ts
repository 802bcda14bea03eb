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

export type Subscriber = (event: ServiceEvent) => void | Promise<void>;

/**
 * The event bus. Subscribers run after the request, each on its own: one that throws is logged and
 * fails neither the request nor another subscriber.
 */
export function createEventBus(
  log: Log,
  background: Background,
): EventBus & {
  subscribe(subscriber: Subscriber): void;
} {
  const subscribers: Subscriber[] = [];
  return {
    subscribe(subscriber) {
      subscribers.push(subscriber);
    },
    publish(event, data, subject) {
      log.info({ event, ...subject }, 'event');
      if (subscribers.length === 0) return;
      const happened = {
        event,
        timestamp: new Date(now()).toISOString(),
        data,
        metadata: subject,
      } as ServiceEvent;
      for (const subscriber of subscribers) {
        background.run(`subscriber of ${event}`, async () => subscriber(happened));
      }
    },
  };
}

/** Holds events back until `release`: what a transaction undoes must never have been announced. */
export function holdEvents(bus: EventBus): EventBus & { release(): void } {
  const held: (() => void)[] = [];
  return {
    publish(...event) {
      held.push(() => bus.publish(...event));
    },
    release() {
      for (const publish of held.splice(0)) publish();
    },
  };
}
