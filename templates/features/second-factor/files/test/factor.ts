import type { Answer } from './client.js';
import type { TestEnvironment, TestService } from './service.js';
import type { SignedIn } from './sign-in-as.js';

/** A factor as people use it: all of its steps go through the service's routes. */
interface Factor {
  /** What the service must be started with. */
  variables: TestEnvironment;
  /** Gives a signed-in user what the factor needs. */
  enrol(service: TestService, person: SignedIn): Promise<void>;
}

/** What a first step brings that is not enough. */
export interface Challenge {
  tempToken: string;
  available2faMethods: string[];
}

/** A way to begin a sign-in. */
export interface FirstFactor extends Factor {
  /** How sessions and challenges name it. */
  method: string;
  /** Takes the first step. Throws if it brings anything but a challenge. */
  begin(service: TestService, person: SignedIn): Promise<Challenge>;
}

/** A way to finish it. */
export interface SecondFactor extends Factor {
  /** How challenges name it. */
  method: string;
  finish(service: TestService, person: SignedIn, tempToken: string): Promise<Answer>;
}

/** What a feature brings to the table of pairs, by the name that the tests show. */
export interface Factors {
  first?: Record<string, () => Promise<FirstFactor>>;
  second?: Record<string, () => Promise<SecondFactor>>;
}

/** The challenge in an answer. Throws if it is another answer, or a session came with it. */
export function challengeOf({ status, body, setCookies }: Answer): Challenge {
  const { requiresTwoFactor, tempToken, available2faMethods } = body;
  const isAlone = Object.keys(body).length === 3 && setCookies.every(({ maxAge }) => maxAge === 0);
  if (status !== 200 || requiresTwoFactor !== true || !isAlone) {
    throw new Error(`No challenge: ${status} ${JSON.stringify(body)}`);
  }
  return { tempToken, available2faMethods };
}
