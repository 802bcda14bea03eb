import { defineFeature } from '../../../feature.js';
import type { Factor } from '../../../session/reauthentication.js';
import { credential } from '../feature.js';
import { METHOD } from '../login.js';

const factor: Factor = {
  name: METHOD,
  isAvailable: async ({ sms }, { user }) => (await sms.findNumber(user.id)) !== undefined,
};

export const smsSecondFactor = defineFeature({ factor, credential });
