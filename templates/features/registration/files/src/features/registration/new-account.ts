import * as z from 'zod';
import type { Services } from '../../services.js';
import { emailField } from '../../users/user.js';

/** Further fields are passed to the registration callback only. */
export const RegisterBody = z
  .looseObject({ email: emailField })
  .transform(({ email, ...fields }) => ({ email, fields }));

/**
 * What somebody sent to register: parsed, the address in normal form. `fields` are the body's other
 * fields, unchecked: anybody can send anything in them.
 */
export type RegistrationInput = z.output<typeof RegisterBody> & { language?: string | undefined };

/** Nothing to prepare: every way to sign in needs only the address. */
export async function prepareCredential(_services: Services, _input: RegistrationInput) {
  return async (_tx: Services, _userId: string): Promise<void> => {};
}
