import { z } from 'zod';

/** The longest address that mail can be sent to (RFC 5321 §4.5.3.1, erratum 1690). */
const EMAIL_LENGTH = 254;

/**
 * The one form in which addresses are stored and compared, so that no second account can be opened
 * with another spelling (ASVS 6.3.8). Composed again at the end: lower-case letters compose where
 * capitals do not (J̌ → ǰ), and NFKC can bring forth a blank, so a normal form would have another.
 */
export function normalizeEmail(email: string): string {
  return email.normalize('NFKC').toLowerCase().normalize('NFKC').trim();
}

/** An email field of a request body, in normal form. */
export const emailField = z
  .string()
  .max(EMAIL_LENGTH * 2)
  .transform(normalizeEmail)
  .pipe(z.email('Not an email address.').max(EMAIL_LENGTH));

/** An address to look an account up by: one that cannot exist is simply unknown, and answered like one. */
export const knownEmail = z
  .string()
  .min(1)
  .max(EMAIL_LENGTH * 2)
  .transform(normalizeEmail);
