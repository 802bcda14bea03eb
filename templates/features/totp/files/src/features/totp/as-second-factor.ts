import type { SecondFactor } from '../../session/second-factor.js';

export const totpAsSecondFactor: SecondFactor = {
  name: 'totp',
  async isAvailable(_services, account) {
    return account.isTotpEnabled;
  },
};
