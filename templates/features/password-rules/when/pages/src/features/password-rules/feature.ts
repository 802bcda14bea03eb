import { z } from 'zod';
import { defineFeature } from '../../feature.js';
import { pageUrl } from '../../process/addresses.js';
import { wholeNumber } from '../../process/environment.js';
import type { ErrorTexts } from '../pages/language.js';

const errorTexts: ErrorTexts<never> = {
  de: {
    'Many people use this password. Choose another.':
      'Viele benutzen dieses Passwort. Wählen Sie ein anderes.',
    'Your address or the name of this service is too large a part of this password.':
      'Ihre Adresse oder der Name dieses Dienstes macht einen zu großen Teil dieses Passworts aus.',
    'This password is known from a data breach. Choose another.':
      'Dieses Passwort ist aus einem Datenleck bekannt. Wählen Sie ein anderes.',
  },
};

/** The rules are in rules.ts; `src/policy.ts` asks them, or does not. */
export const passwordRules = defineFeature({
  variables: {
    PASSWORD_MIN_LENGTH: wholeNumber(8, 64).default(8),
    BREACHED_PASSWORDS_URL: z
      .union([z.literal('off'), pageUrl()])
      .default('https://api.pwnedpasswords.com'),
  },
  errorTexts,
});
