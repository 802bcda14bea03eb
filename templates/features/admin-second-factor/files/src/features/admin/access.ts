import { refuse } from '../../http/errors.js';
import type { CallerCheck } from '../../http/route.js';
import { strongFactorsOf } from '../../session/reauthentication.js';

/**
 * With ADMIN_2FA, which is on in production, a phished administrator's first factor or mailbox is not
 * enough: the session must have proved a strong factor, at the sign-in or since.
 */
const callerCheck: CallerCheck = {
  refuses: ['2FA_SETUP_REQUIRED', 'REAUTHENTICATION_REQUIRED'],
  async check(services, caller) {
    const { ADMIN_2FA, isProduction } = services.config;
    if (!(ADMIN_2FA ?? isProduction)) return;
    const factors = await strongFactorsOf(services, caller);
    if (factors.length === 0) throw refuse('2FA_SETUP_REQUIRED');
    const session = await services.sessions.find(caller.sessionId);
    if (!factors.some((name) => session?.factors[name])) throw refuse('REAUTHENTICATION_REQUIRED');
  },
};

/** The checks of every administration route besides its permission. */
export const access = { checksSession: true, callerCheck } as const;
