import { refuse } from '../../http/errors.js';
import type { Services } from '../../services.js';
import type { Factor } from '../../session/factors.js';
import type { Account } from '../../users/account.js';
import { currentSetting } from '../settings/feature.js';
import type { LoginChallenge } from './challenge.js';
import { requiresSecondFactor } from './policy.js';

declare module '../../feature.js' {
  interface FeatureParts {
    /** A second factor that a sign-in may ask for. */
    secondFactor?: Factor;
  }
}

/** True if `policy.ts` or the setting `require2FA` requires a second factor of this account. */
export async function isDemanded(services: Services, account: Account): Promise<boolean> {
  return requiresSecondFactor(account) || currentSetting(services, 'require2FA');
}

/** The names of the user's second factors, without the method of the first step. */
export function availableFactors(
  services: Services,
  account: Account,
  firstMethod: string,
): Promise<string[]> {
  const factors = services.features.flatMap(({ secondFactor }) => secondFactor ?? []);
  const others = factors.filter(({ name }) => name !== firstMethod);
  return availableOf(services, account, others);
}

/** The names of those factors that an account has. */
export async function availableOf(
  services: Services,
  account: Account,
  factors: Factor[],
): Promise<string[]> {
  const names: string[] = [];
  for (const factor of factors) {
    if (await factor.isAvailable(services, account)) names.push(factor.name);
  }
  return names;
}

/**
 * The account of a challenge that the factor can answer. Throws METHOD_NOT_AVAILABLE for one that its
 * `available2faMethods` does not name.
 */
export async function requireOffered(
  services: Services,
  { userId, method }: LoginChallenge,
  name: string,
): Promise<Account> {
  const account = await services.users.findAccount(userId);
  const offered = account ? await availableFactors(services, account, method) : [];
  if (!account || !offered.includes(name)) throw refuse('METHOD_NOT_AVAILABLE');
  return account;
}
