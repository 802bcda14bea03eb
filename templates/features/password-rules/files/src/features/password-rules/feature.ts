import * as z from 'zod';
import { defineFeature } from '../../feature.js';
import { pageUrl } from '../../process/addresses.js';
import { wholeNumber } from '../../process/environment.js';

/** The rules are in rules.ts; `src/policy.ts` decides whether they apply. */
export const passwordRules = defineFeature({
  variables: {
    PASSWORD_MIN_LENGTH: wholeNumber(8, 64).default(8),
    BREACHED_PASSWORDS_URL: z
      .union([z.literal('off'), pageUrl()], 'must be off or a URL, without query or user info')
      .default('https://api.pwnedpasswords.com'),
  },
});
