import { defineFeature } from '../../../feature.js';
import type { EmptyProof } from '../../../session/reauthentication.js';

/** To change an address, older clients always send the field: an empty one needs its own error. */
const emptyProof: EmptyProof = {
  refuses: 'PASSWORD_REQUIRED',
  async isSent({ password }, userId, body) {
    // No other route has a `newEmail`.
    if (!body.has('newEmail') || body.get('currentPassword') !== '') return false;
    return (await password.findHash(userId)) !== undefined;
  },
};

/** The part of the email change that only a service with passwords needs. */
export const emailChangePassword = defineFeature({
  errors: {
    PASSWORD_REQUIRED: [400, 'Enter the current password to do this.'],
  },
  emptyProof,
});
