import type { ServiceEvent } from '../../events/bus.js';

/** Of the specification: a receiver can tell when the form of the body changes. */
const VERSION = '1';

/** The body that tells of an event. Who did it and from where (`origin`) stays within the service. */
export function payloadOf({ event, timestamp, data, metadata }: ServiceEvent): string {
  const { userId, tenantId, correlationId } = metadata;
  return JSON.stringify({
    event,
    version: VERSION,
    timestamp,
    data,
    metadata: { userId, tenantId, correlationId },
  });
}
