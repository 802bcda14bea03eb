import type { SecondFactor } from '../second-factor/second-factor.js';
import { METHOD } from './link.js';

export const magicLinkAsSecondFactor: SecondFactor = {
  name: METHOD,
  async isAvailable(_services, { user }) {
    return user.emailVerifiedAt !== null;
  },
};
