import type { Services } from '../services.js';
import type { Subscriber } from './bus.js';

/** Your reactions to events. This file is yours: no upgrade changes it. */
export function subscribers(_services: Services): Subscriber[] {
  return [
    // async ({ event, data, metadata }) => {
    //   if (event === 'identity.user.created') await tellTheTeam(data.email, metadata.userId);
    // },
  ];
}
