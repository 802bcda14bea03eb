import { z } from 'zod';
import { setting } from '../../settings/setting.js';

export const verificationModes = ['none', 'lazy', 'strict'] as const;

export const emailVerificationSettings = {
  /** Wins over EMAIL_VERIFICATION. */
  emailVerificationMode: setting(z.enum(verificationModes), (config) => config.EMAIL_VERIFICATION),
};
