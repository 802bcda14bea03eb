import { z } from 'zod';
import { chosenFeatures } from '../chosen-features.js';
import { get } from '../route.js';

export const pingRoutes = [
  get(
    '/ping',
    {
      summary: 'Whether the caller may administer, and what there is to administer',
      permission: 'admin:access',
      reply: z.object({ ok: z.literal(true), features: z.array(z.string()) }),
    },
    async () => ({ body: { ok: true, features: chosenFeatures } }),
  ),
];
