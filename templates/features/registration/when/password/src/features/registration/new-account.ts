import { z } from 'zod';
import { emailLang } from '../../mail/compose-mail.js';
import type { Services } from '../../services.js';
import { emailField } from '../../users/user.js';
import { hashPassword, passwordField, requireAcceptable } from '../password/password.js';

/** Further fields pass through to the registration callback, and no further. */
export const RegisterBody = z
  .looseObject({ email: emailField, password: passwordField, emailLang })
  .transform(({ email, password, emailLang: language, ...fields }) => ({
    email,
    password,
    language,
    fields,
  }));

/**
 * What somebody sent to register: parsed, the address in normal form. `fields` are the body's other fields,
 * as they came: whatever anybody likes to send.
 */
export type RegistrationInput = z.output<typeof RegisterBody>;

/** Checks and hashes the password. Throws VALIDATION_FAILED if the policy refuses it. */
export async function prepareCredential(
  services: Services,
  { email, password }: RegistrationInput,
) {
  await requireAcceptable(password, 'password', { services, email });
  // Before the transaction, which hashing would keep open.
  const hash = await hashPassword(password, services.config.BCRYPT_COST);
  return async (tx: Services, userId: string): Promise<void> => tx.password.save(userId, hash);
}
