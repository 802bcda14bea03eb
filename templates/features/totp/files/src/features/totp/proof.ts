import { refuse } from '../../http/errors.js';
import type { Proof } from '../../session/proof.js';
import { useTotpCode } from './check.js';

/** A code of the authenticator app stands in for a recent sign-in. */
export const totpProof: Proof = {
  field: 'code',
  refuses: 'INVALID_TOTP_CODE',
  async verify(services, caller, value) {
    await services.limiter.consume([['totpCodesOfAccount', caller.user.id]]);
    if (!(await useTotpCode(services, caller.user.id, value))) throw refuse('INVALID_TOTP_CODE');
    await services.limiter.reset('totpCodesOfAccount', caller.user.id);
  },
};
