import type { SecondFactor } from '../../session/second-factor.js';
import { METHOD } from './method.js';

export const smsAsSecondFactor: SecondFactor = {
  name: METHOD,
  async isAvailable(services, { user }) {
    return (await services.sms.phones.findVerified(user.id)) !== undefined;
  },
};
