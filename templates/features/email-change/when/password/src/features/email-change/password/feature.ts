import { defineFeature } from '../../../feature.js';
import type { EmptyProof } from '../../../session/reauthentication.js';

/** Forms of older clients always send the field: an empty one gets an error other than that of an old sign-in. */
const emptyProof: EmptyProof = {
  field: 'currentPassword',
  refuses: 'PASSWORD_REQUIRED',
  async isSet({ password }, userId) {
    return (await password.findHash(userId)) !== undefined;
  },
};

/** What changing the email address needs only where there are passwords. */
export const emailChangePassword = defineFeature({
  errors: {
    PASSWORD_REQUIRED: [400, 'Enter the current password to do this.'],
  },
  emptyProof,
});
