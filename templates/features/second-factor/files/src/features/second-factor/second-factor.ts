import type { Services } from '../../services.js';
import type { Account } from '../../users/account.js';
import { currentSetting } from '../settings/settings.js';
import { requiresSecondFactor } from './policy.js';

/** A way to prove a second factor. */
export interface SecondFactor {
  /** The name in `available2faMethods`. */
  name: string;
  /** True if this user has it. */
  isAvailable(services: Services, account: Account): Promise<boolean>;
}

declare module '../../feature.js' {
  interface FeatureParts {
    /** A second factor that a sign-in may ask for. */
    secondFactor?: SecondFactor;
  }
}

/** True if `policy.ts` or the setting `require2FA` requires a second factor of this account. */
export async function isDemanded(services: Services, account: Account): Promise<boolean> {
  return requiresSecondFactor(account) || currentSetting(services, 'require2FA');
}

/** The names of the user's second factors, without the method of the first step. */
export async function availableFactors(
  services: Services,
  account: Account,
  firstMethod: string,
): Promise<string[]> {
  const names: string[] = [];
  for (const { secondFactor } of services.features) {
    if (!secondFactor || secondFactor.name === firstMethod) continue;
    if (await secondFactor.isAvailable(services, account)) names.push(secondFactor.name);
  }
  return names;
}
