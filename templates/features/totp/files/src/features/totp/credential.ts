import type { Credential } from '../../session/credential.js';

/** A second factor opens nothing by itself. */
export const totpCredential: Credential = {
  isAdditional: true,
  async opensAccount() {
    return false;
  },
  async forget(services, userId) {
    await services.totp.remove(userId);
  },
};
