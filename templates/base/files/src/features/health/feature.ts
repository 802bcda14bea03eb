import * as z from 'zod';
import { isMigrated } from '../../db/migrate.js';
import { defineFeature } from '../../feature.js';
import { refuse } from '../../http/errors.js';
import { get, type Route } from '../../http/route.js';

const Ok = z.object({ status: z.literal('ok') });

/** Probes; mounted at the root, outside AUTH_PREFIX. */
export const health = defineFeature({
  prefix: () => '',
  routes: (): Route[] => [
    get('/healthz', {
      summary: 'Liveness probe',
      reply: Ok,
      neverRefuses: true,
      anyOrigin: true,
      handle: async () => ({ body: { status: 'ok' } }),
    }),

    get('/readyz', {
      summary: 'Readiness probe: the database answers and is migrated',
      reply: Ok,
      errors: ['UNAVAILABLE'],
      neverRefuses: true,
      anyOrigin: true,
      handle: async ({ services }) => {
        const isReady = await isMigrated(services.db).catch(() => {
          throw refuse('UNAVAILABLE', { message: 'The database does not answer.' });
        });
        if (!isReady) throw refuse('UNAVAILABLE', { message: 'Migrations are pending.' });
        return { body: { status: 'ok' } };
      },
    }),
  ],
});
