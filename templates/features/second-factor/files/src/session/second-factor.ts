import type { Services } from '../services.js';
import type { Account } from './caller.js';

/** Something that a user can be asked for after the first step of a sign-in. */
export interface SecondFactor {
  /** As clients know it. */
  name: string;
  /** True if this user has it. */
  isAvailable(services: Services, account: Account): Promise<boolean>;
}
