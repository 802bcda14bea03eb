import { refuse } from '../../http/errors.js';
import type { CallerCheck } from '../../http/route.js';
import { strongFactorsOf } from '../../session/factors.js';

/**
 * With ADMIN_2FA, which is on in production, an administrator who was phished for a password, or whose mailbox
 * was taken, gives nothing away: the session must have shown a strong factor, at its opening or since.
 */
const callerCheck: CallerCheck = {
  refuses: ['2FA_SETUP_REQUIRED', 'REAUTHENTICATION_REQUIRED'],
  async check(services, caller) {
    const { ADMIN_2FA, isProduction } = services.config;
    if (!(ADMIN_2FA ?? isProduction)) return;
    const factors = await strongFactorsOf(services, caller);
    if (factors.length === 0) throw refuse('2FA_SETUP_REQUIRED');
    const shown = Object.keys((await services.sessions.findFactors(caller.sessionId)) ?? {});
    if (!factors.some((name) => shown.includes(name))) throw refuse('REAUTHENTICATION_REQUIRED');
  },
};

/** What every route of the administration checks beside its permission. */
export const access = { checksSession: true, callerCheck } as const;
