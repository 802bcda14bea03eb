import * as z from 'zod';
import type { Services } from '../../services.js';
import { emailField } from '../../users/user.js';
import { newPassword, passwordField, requirePasswordPolicy } from '../password/password.js';

/** Further fields are passed to the registration callback only. */
export const RegisterBody = z
  .looseObject({ email: emailField, password: passwordField })
  .transform(({ email, password, ...fields }) => ({ email, password, fields }));

/**
 * What somebody sent to register: parsed, the address in normal form. `fields` are the body's other
 * fields, unchecked: anybody can send anything in them.
 */
export type RegistrationInput = z.output<typeof RegisterBody> & { language?: string | undefined };

/** Checks and hashes the password. Throws VALIDATION_FAILED if the policy refuses it. */
export async function prepareCredential(
  services: Services,
  { email, password }: RegistrationInput,
) {
  await requirePasswordPolicy(password, 'password', { services, email });
  return newPassword(services, password);
}
