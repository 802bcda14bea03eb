import { refuse } from '../../http/errors.js';
import type { Proof } from '../../session/proof.js';
import { verifyPassword } from './hash.js';
import { passwordField } from './password-field.js';

/** The current password stands in for a recent sign-in. Guesses are limited as those at login are. */
export const passwordProof: Proof = {
  field: 'currentPassword',
  refuses: 'INVALID_CURRENT_PASSWORD',
  async verify(services, caller, value) {
    const { config, limiter, password } = services;
    await limiter.consume([['passwordProofOfAccount', caller.user.id]]);
    const hash = await password.findHash(caller.user.id);
    const isPossible = passwordField.safeParse(value).success;
    if (!isPossible || !(await verifyPassword(value, hash, config.BCRYPT_COST))) {
      throw refuse('INVALID_CURRENT_PASSWORD');
    }
    await limiter.reset('passwordProofOfAccount', caller.user.id);
  },
};
