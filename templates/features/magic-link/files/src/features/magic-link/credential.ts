import type { Credential } from '../../session/credential.js';
import { LOGIN_KIND } from './link.js';

/** Every account has an address, and whoever reads its mail can ask for a link. */
export const magicLinkCredential: Credential = {
  async opensAccount() {
    return true;
  },
  async forget(services, userId) {
    await services.oneTimeTokens.revoke(LOGIN_KIND, userId);
  },
};
