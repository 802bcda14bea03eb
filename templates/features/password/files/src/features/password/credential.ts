import type { Credential } from '../../session/credential.js';

/** A password opens its account by itself. */
export const passwordCredential: Credential = {
  async opensAccount(services, userId) {
    return (await services.password.findHash(userId)) !== undefined;
  },
  async forget(services, userId) {
    await services.password.remove(userId);
  },
};
