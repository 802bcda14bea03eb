import { z } from 'zod';
import type { Result } from './route.js';

/** The answer of a route that has nothing to tell. */
export const Success = z.object({ success: z.literal(true) });

/** Cookie mode: success alone. Bearer mode: the tokens besides. */
export const Issued = Success.extend({
  accessToken: z.string().optional(),
  refreshToken: z.string().optional(),
});

/** Sends a browser elsewhere: always to a URL that is made from the configuration. */
export function redirect(url: string): Result {
  return { status: 302, headers: { location: url } };
}
