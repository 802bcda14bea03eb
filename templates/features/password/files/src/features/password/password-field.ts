import { z } from 'zod';

/** bcrypt reads 72 bytes and no more: a longer password would be cut without a word (ASVS 6.2.9). */
const PASSWORD_BYTES = 72;

/**
 * A password in a request body: 1 to 72 UTF-8 bytes. bcrypt would end at a NUL, so none is allowed.
 * How strong it must be is the policy's business (`src/policy.ts`).
 */
export const passwordField = z
  .string()
  .min(1, 'A password is needed.')
  .refine((value) => Buffer.byteLength(value) <= PASSWORD_BYTES, 'At most 72 bytes are possible.')
  .refine((value) => !value.includes('\0'), 'A NUL character is not possible.');
