import type { EventShape, Merged } from '../feature.js';
import type { RequestInfo } from '../http/request.js';
import { now } from '../process/clock.js';
import type { Services } from '../services.js';

type Shapes = Merged<'events'>;

/** Every event that this service emits, with its data. */
export type EventMap = {
  [Name in keyof Shapes]: Shapes[Name] extends EventShape<infer Data> ? Data : never;
};

export type EventName = keyof EventMap;

/** The user that an event concerns, and its cause. */
export interface EventCause {
  userId?: string;
  tenantId?: string;
  /** The request that it happened in; a timer and the command line have none. */
  request?: RequestInfo;
  /**
   * Who did it: a user's id, `cli:<os user>`, `webhook:<provider>`; null if unknown. Absent: in a
   * request, the user whom the event concerns, otherwise nobody.
   */
  actor?: string | null;
  /** True for a sign-in in a browser that has signed in to the account before. */
  isKnownDevice?: boolean;
}

/** The same, for an event whose user is known without it. */
export type Cause = Omit<EventCause, 'userId'>;

/** Something that happened. `timestamp` is ISO 8601 UTC. */
export type ServiceEvent = {
  [Name in EventName]: {
    event: Name;
    timestamp: string;
    data: EventMap[Name];
    /** The part of the cause that others may see. */
    metadata: { userId?: string; tenantId?: string; correlationId?: string };
    /** Never leaves the service: who did it, and from where. */
    origin: {
      actor: string | null;
      ip: string | undefined;
      userAgent: string | null;
      language: string | undefined;
      isKnownDevice: boolean | undefined;
    };
  };
}[EventName];

export interface EventBus {
  /** Publishes an event as it is. */
  take(event: ServiceEvent): void;
  publish<Name extends EventName>(event: Name, data: EventMap[Name], cause: EventCause): void;
  /** Publishes an event that is named at run time, and is not in `EventMap`. */
  publishNamed(event: string, data: unknown, cause: EventCause): void;
}

/** Reacts to an event after it has happened. */
export type Subscriber = (event: ServiceEvent) => void | Promise<void>;

/** A bus that turns what is published into events, and passes each to `take`. */
export function createEventBus(take: (event: ServiceEvent) => void): EventBus {
  function publish(
    event: string,
    data: unknown,
    { userId, tenantId, actor, request, isKnownDevice }: EventCause,
  ): void {
    take({
      event,
      timestamp: new Date(now()).toISOString(),
      data,
      metadata: { userId, tenantId, correlationId: request?.correlationId },
      origin: {
        actor: actor !== undefined ? actor : (request && userId) || null,
        ip: request?.ip,
        userAgent: request?.userAgent ?? null,
        language: request?.language,
        isKnownDevice,
      },
      // Name and data match: the types of `publish` ensure it.
    } as ServiceEvent);
  }
  return { take, publish, publishNamed: publish };
}

/** An act of a command or a script, for the audit log. */
export interface Act {
  actor: string;
  /** The command that was run, such as `admin disable`. */
  action: string;
  target: string | null;
  details: Record<string, unknown>;
  /** Absent for a command. */
  request?: RequestInfo;
}

/** Keeps events in the database. */
export interface EventRecorder {
  /** True if this frequent event, without a tenant, would be recorded now. Absent: none is. */
  awaits?(services: Services, event: EventName): Promise<boolean>;
  /**
   * Writes an event in the transaction that caused it: it exists if, and only if, the change does.
   * Throwing undoes the change.
   */
  record(tx: Services, event: ServiceEvent): Promise<void>;
  /** Called once what was recorded is committed. */
  committed?(services: Services): void;
  recordAct?(tx: Services, act: Act): Promise<void>;
}
