import type { SecondFactor } from '../second-factor/second-factor.js';

export const totpAsSecondFactor: SecondFactor = {
  name: 'totp',
  async isAvailable(_services, account) {
    return account.isTotpEnabled;
  },
};
