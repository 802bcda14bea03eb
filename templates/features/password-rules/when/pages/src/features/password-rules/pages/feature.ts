import type { FeatureParts } from '../../../feature.js';

/** The messages of the rules in the languages of the pages. */
export const passwordRulesPages: FeatureParts = {
  leastPasswordLength: ({ PASSWORD_MIN_LENGTH }) => PASSWORD_MIN_LENGTH,
  texts: {
    de: {
      'Many people use this password. Choose another.':
        'Viele benutzen dieses Passwort. Wählen Sie ein anderes.',
      'Your address or the name of this service is too large a part of this password.':
        'Ihre Adresse oder der Name dieses Dienstes macht einen zu großen Teil dieses Passworts aus.',
      'This password is known from a data breach. Choose another.':
        'Dieses Passwort ist aus einem Datenleck bekannt. Wählen Sie ein anderes.',
    },
  },
};
