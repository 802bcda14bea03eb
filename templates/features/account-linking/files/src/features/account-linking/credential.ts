import type { Credential } from '../../session/credential.js';
import { ADDRESS } from './provider-account.js';

/** A provider's account opens the account that it is linked to; a mere address does not. */
export const accountLinkingCredential: Credential = {
  async opensAccount(services, userId) {
    const accounts = await services.accountLinking.listOfUser(userId);
    return accounts.some(({ provider }) => provider !== ADDRESS);
  },
  async forget(services, userId) {
    await services.accountLinking.removeAllOfUser(userId);
  },
};
