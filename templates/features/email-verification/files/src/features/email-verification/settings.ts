import { z } from 'zod';

export const verificationModes = ['none', 'lazy', 'strict'] as const;

export const emailVerificationSettings = {
  /** Wins over EMAIL_VERIFICATION. */
  emailVerificationMode: z.enum(verificationModes),
};
