import { defineFeature } from '../../../feature.js';
import type { EmptyProof } from '../../../session/reauthentication.js';

/** Forms of older clients always send the field: an empty one is told apart from a sign-in that is too old. */
const emptyProof: EmptyProof = {
  field: 'currentPassword',
  refuses: 'PASSWORD_REQUIRED',
  async isSet({ password }, userId) {
    return (await password.findHash(userId)) !== undefined;
  },
};

/** What moving to another address has only where there are passwords. */
export const emailChangePassword = defineFeature({
  errors: {
    PASSWORD_REQUIRED: [400, 'Give the current password to do this.'],
  },
  emptyProof,
});
