import type { TestEnvironment } from '../service.js';

/** Who is signed in at a provider, and what it says of them. */
export interface Person {
  /** Digits, since some providers have no other ids. */
  id: string;
  email?: string;
  isEmailVerified?: boolean;
  name?: string;
}

/** A provider for tests, on this machine. */
export interface Counterpart {
  /** Its name in routes. */
  name: string;
  /** What the service must be started with. */
  variables: TestEnvironment;
  /** Who agrees next; a test may exchange them. */
  person: Person;
  /** The codes that somebody tried to exchange. */
  exchanges: string[];
  /** How long each answer takes, in ms. */
  delay: number;
  /** True: it hangs up on everybody. */
  isOut: boolean;
  /** The person agrees: the URL that the provider sends the browser back to. */
  agree(authorizationUrl: string): Promise<URL>;
  /** The person, or the provider, says no. */
  decline(authorizationUrl: string, error: string): URL;
}

export type StartCounterpart = () => Promise<Counterpart>;
