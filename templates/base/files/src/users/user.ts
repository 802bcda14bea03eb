import { domainToASCII, domainToUnicode } from 'node:url';
import type { Generated, Selectable } from 'kysely';
import * as z from 'zod';
import type { Database } from '../db/schema.js';
import { refuse } from '../http/errors.js';
import { emailProblem } from '../policy.js';

declare module '../db/schema.js' {
  /** Times are ms since the epoch, ids are UUIDs. */
  interface Database {
    users: {
      id: string;
      /** In normal form (trimmed, NFKC, lower case); unique. */
      email: string;
      /** Null until a mailed link was opened, if only by a mail scanner. */
      email_verified_at: number | null;
      /** Null until the address is proven to be the user's: until then, anybody may have created the account. */
      email_proven_at: number | null;
      /** How the account was made: `local`, or the provider that vouched for it. */
      login_provider: string;
      /** A JSON object of free-form fields, the profile's names among them. */
      metadata: Generated<string>;
      disabled_at: number | null;
      created_at: number;
    };
    roles: {
      name: string;
      /** A JSON list of `<resource>:<action>`; `*:*` is every permission. */
      permissions: string;
    };
    user_roles: {
      user_id: string;
      role_name: string;
      assigned_at: number;
    };
  }
}

export interface NewUser {
  email: string;
  loginProvider: string;
  metadata?: Record<string, unknown>;
  /** True if a trusted party says that the address is the user's. */
  isEmailProven?: boolean;
}

export function userOf(row: Selectable<Database['users']>) {
  const metadata: Record<string, unknown> = JSON.parse(row.metadata);
  return {
    id: row.id,
    email: row.email,
    emailVerifiedAt: row.email_verified_at,
    emailProvenAt: row.email_proven_at,
    loginProvider: row.login_provider,
    metadata,
    disabledAt: row.disabled_at,
    createdAt: row.created_at,
  };
}

/** A user as rules see it. Times in ms. */
export type User = ReturnType<typeof userOf>;

/** The longest address that mail can be sent to (RFC 5321 §4.5.3.1, erratum 1690). */
const EMAIL_LENGTH = 254;
/** Letters of every script (RFC 6531), but no invisible characters: two accounts would look alike. */
const ADDRESS =
  /^(?!.*\p{Default_Ignorable_Code_Point})(?!\.|.*\.\.|.*\.@)[\p{L}\p{M}\p{N}.!#$%&'*+/=?^_`{|}~-]{1,64}@(?:[\p{L}\p{M}\p{N}](?:[\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}])?\.)+\p{L}[\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}]$/u;

/**
 * The one form in which addresses are stored and compared, so that no second account can be created with
 * another spelling. An international domain is stored in its own letters: browsers send what is typed into
 * `type="email"` as Punycode. A normal form stays as it is, or limits would count one account by many names.
 */
export function normalizeEmail(email: string): string {
  const text = comparable(email);
  // In two steps: one expression for the labels behind the last `@` would take quadratic time.
  const at = Math.max(0, text.lastIndexOf('@'));
  return text.slice(0, at) + text.slice(at).replace(/(?<=[@.])xn--[^.]*/g, lettersOf);
}

/**
 * NFKC runs again at the end, since lower-case letters compose where capitals do not (J̌ → ǰ), and `trim` after it,
 * since NFKC can produce a blank.
 */
function comparable(text: string): string {
  return text.normalize('NFKC').toLowerCase().normalize('NFKC').trim();
}

/** The letters of a Punycode label, unless they encode to another label: `xn--gmail-` would become `gmail`. */
function lettersOf(label: string): string {
  const letters = domainToUnicode(label);
  return domainToASCII(letters) === label && comparable(letters) === letters ? letters : label;
}

/** An email field of a request body, in normal form. */
export const emailField = z
  .string()
  .max(EMAIL_LENGTH * 2)
  .transform(normalizeEmail)
  .pipe(z.email({ pattern: ADDRESS, error: 'This is not an email address.' }).max(EMAIL_LENGTH));

/** Throws VALIDATION_FAILED, at the field with the address, if the policy refuses it. */
export async function requireAcceptableEmail(email: string, path: string): Promise<void> {
  const message = await emailProblem(email);
  if (message !== undefined) throw refuse('VALIDATION_FAILED', { details: [{ path, message }] });
}

/**
 * An address to look an account up by. Text that is not an address is answered like an unknown address:
 * text too long for one, or with a NUL, counts as the empty text, which no account has.
 */
export const knownEmail = z
  .string()
  .transform((text) =>
    text.length > EMAIL_LENGTH * 2 || text.includes('\0') ? '' : normalizeEmail(text),
  );
