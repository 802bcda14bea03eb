import { defineFeature } from '../../../feature.js';
import type { EmptyProof } from '../../../session/reauthentication.js';

/** Older clients always send the field: an empty one needs its own error, not that of a sign-in too long ago. */
const emptyProof: EmptyProof = {
  field: 'currentPassword',
  refuses: 'PASSWORD_REQUIRED',
  async isSet({ password }, userId) {
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
