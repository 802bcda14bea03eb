import type { Subscriber } from '../../events/bus.js';
import type { Services } from '../../services.js';

/** Wakes the dispatcher once an event has been committed, instead of leaving it to the next look. */
export const webhooksSubscriber =
  ({ parts }: Services): Subscriber =>
  () =>
    parts.webhooks.wake();
