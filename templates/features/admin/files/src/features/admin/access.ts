import type { CallerCheck } from '../../http/route.js';

/** What every route of the administration checks besides its permission. */
export const access: { checksSession: true; callerCheck?: CallerCheck } = { checksSession: true };
