import type { SecondFactor } from '../../session/second-factor.js';
import { METHOD } from './link.js';

export const magicLinkAsSecondFactor: SecondFactor = {
  name: METHOD,
  async isAvailable(_services, { user }) {
    return user.emailVerifiedAt !== null;
  },
};
