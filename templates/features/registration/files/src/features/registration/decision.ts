import type { RegistrationInput } from './new-account.js';

export type RegistrationDecision =
  | { metadata: Record<string, unknown> }
  | { rejection: string; field?: string | undefined };

export type RegistrationCallback = (input: RegistrationInput) => Promise<RegistrationDecision>;

const FIELD_LENGTH = 200;

/** Accepts with those of the fields that are strings; refuses a string that is too long rather than drop it. */
export function acceptWith(fields: Record<string, unknown>): RegistrationDecision {
  const entries = Object.entries(fields).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string' && entry[1] !== '',
  );
  const tooLong = entries.find(([, value]) => value.length > FIELD_LENGTH);
  if (tooLong) return reject(`Use at most ${FIELD_LENGTH} characters.`, tooLong[0]);
  return { metadata: Object.fromEntries(entries) };
}

/** Refuses; the sentence is shown to the person, beside the field if it is about one. */
export function reject(rejection: string, field?: string): RegistrationDecision {
  return { rejection, field };
}
