/** What somebody sent to register: parsed, the address in normal form. */
export interface RegistrationInput {
  email: string;
  password: string;
  /** The body's other fields, as they came: whatever anybody likes to send. */
  fields: Record<string, unknown>;
}

export type RegistrationDecision = { metadata: Record<string, unknown> } | { rejection: string };

export type RegistrationCallback = (input: RegistrationInput) => Promise<RegistrationDecision>;

const NAME_LENGTH = 200;

/** Accepts, with those of the named fields that are strings of a sensible length. */
export function acceptWith(fields: Record<string, unknown>): RegistrationDecision {
  const entries = Object.entries(fields).filter(
    ([, value]) => typeof value === 'string' && value !== '' && value.length <= NAME_LENGTH,
  );
  return { metadata: Object.fromEntries(entries) };
}

/** Refuses; the sentence is shown to the person. */
export function reject(sentence: string): RegistrationDecision {
  return { rejection: sentence };
}
