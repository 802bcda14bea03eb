import * as z from 'zod';
import type { Result } from './route.js';

/** The response of a route that returns no data. */
export const Success = z.object({ success: z.literal(true) });

/** Cookie mode: only `success`. Bearer mode: the tokens too. */
export const Issued = Success.extend({
  accessToken: z.string().optional(),
  refreshToken: z.string().optional(),
});

/** Redirects a browser, always to a URL that is built from the configuration. */
export function redirect(url: string): Result {
  return { status: 302, headers: { location: url } };
}
