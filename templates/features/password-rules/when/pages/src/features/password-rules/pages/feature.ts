import type { FeatureParts } from '../../../feature.js';

/** The messages of the rules in the languages of the pages. */
export const passwordRulesPages: FeatureParts = {
  leastPasswordLength: ({ PASSWORD_MIN_LENGTH }) => PASSWORD_MIN_LENGTH,
  texts: {
    de: {
      'Many people use this password. Choose another.':
        'Viele benutzen dieses Passwort. Wählen Sie ein anderes.',
      'Use more characters besides your address and the name of this service.':
        'Verwenden Sie mehr Zeichen neben Ihrer Adresse und dem Namen dieses Dienstes.',
      'This password is known from a data breach. Choose another.':
        'Dieses Passwort ist aus einem Datenleck bekannt. Wählen Sie ein anderes.',
    },
  },
};
