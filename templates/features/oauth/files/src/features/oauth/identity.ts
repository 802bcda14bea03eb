import { z } from 'zod';
import { emailField } from '../../users/email.js';

const ID_LENGTH = 255;
const NAME_LENGTH = 200;
const PICTURE_LENGTH = 2048;

/** Who signed in at a provider. */
export interface Identity {
  /** The provider's own, unchanging name for the account; never an address, which may change hands. */
  id: string;
  /** In normal form. */
  email: string | null;
  /** True only if the provider itself has proved the address. */
  isEmailVerified: boolean;
  name: string | null;
  picture: string | null;
}

/** What a provider's mapping function makes of an answer; anything may be wrong with it. */
export type RawIdentity = { [Field in keyof Identity]?: unknown };

const described = (length: number) =>
  z
    .string()
    .transform((text) => text.replace(/\p{Cc}/gu, ' ').trim())
    .pipe(z.string().min(1).max(length))
    .nullable()
    .catch(null);

const schema = z.object({
  // Neither control characters nor halves of characters: stored, all halves become the same one.
  id: z
    .string()
    .max(ID_LENGTH)
    .regex(/^[^\p{Cc}\p{Cs}]+$/u),
  email: emailField.nullable().catch(null),
  isEmailVerified: z.boolean().catch(false),
  name: described(NAME_LENGTH),
  picture: described(PICTURE_LENGTH),
});

const ASCII = /^\p{ASCII}*$/u;

/**
 * Holds an answer to what can be stored: an odd name or address counts as none. Throws without an id.
 * The provider has proved the address as it is spelled there: letters that only become ASCII in our
 * form (K, the sign of kelvin) may stand for another mailbox, so such an address counts as not verified.
 */
export function checkIdentity(raw: RawIdentity): Identity {
  const identity = schema.parse(raw);
  const isSpelledAlike = ASCII.test(String(raw.email));
  return { ...identity, isEmailVerified: identity.isEmailVerified && isSpelledAlike };
}
