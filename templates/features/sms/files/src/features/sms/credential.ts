import type { Credential } from '../../session/credential.js';
import { forgetPhone } from './phone.js';

/** A verified phone opens its account by itself. */
export const smsCredential: Credential = {
  async opensAccount(services, userId) {
    return (await services.sms.phones.findVerified(userId)) !== undefined;
  },
  forget: forgetPhone,
};
