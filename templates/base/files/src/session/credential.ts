import type { Services } from '../services.js';

/** Something that an account is signed in with, or that a sign-in asks for. */
export interface Credential {
  /** True if the user could sign in with it alone: the last one of these cannot be removed. */
  opensAccount(services: Services, userId: string): Promise<boolean>;
  /** True for what is only ever asked for beside something else. */
  isAdditional?: boolean;
  /** Removes it from the account. Called within a transaction. */
  forget(services: Services, userId: string): Promise<void>;
  /** Ends sign-ins that are under way. Called when all sessions of the user end. */
  stopSignIns?(services: Services, userId: string): Promise<void>;
}
