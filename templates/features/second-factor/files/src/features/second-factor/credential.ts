import type { Credential } from '../../session/credential.js';

/** A sign-in that waits for its second factor opens nothing by itself, but must not outlive its first. */
export const secondFactorCredential: Credential = {
  async opensAccount() {
    return false;
  },
  async forget(services, userId) {
    await services.secondFactor.closeAll(userId);
  },
};
