import type { CallerCheck } from '../../http/route.js';

/** The checks of every administration route besides its permission. */
export const access: { checksSession: true; callerCheck?: CallerCheck } = { checksSession: true };
