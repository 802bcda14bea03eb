import { refuse } from '../../http/errors.js';
import { secondFactors } from '../../second-factors.js';
import type { Services } from '../../services.js';
import type { Account } from '../../session/caller.js';
import type { LoginCheck } from '../../session/login-check.js';
import { openChallenge, openSetUp } from './challenge.js';
import { isDemanded } from './demand.js';
import { ChallengeReply, SetUpDemand } from './replies.js';

/**
 * Asks for a second factor if the user has an authenticator app, or if the policy demands one. The
 * factor that was used to get in does not count as the second.
 * Throws 2FA_SETUP_REQUIRED if one is demanded and the user has none.
 */
export const secondFactorLoginCheck: LoginCheck = {
  refuses: ['2FA_SETUP_REQUIRED'],
  tells: SetUpDemand,
  asks: ChallengeReply,
  async check(services, _request, account, signIn) {
    if (signIn.firstMethod !== undefined) return undefined;
    if (!account.isTotpEnabled && !(await isDemanded(services, account))) return undefined;
    const available2faMethods = await availableTo(services, account, signIn.method);
    if (available2faMethods.length === 0) {
      const tempToken = await openSetUp(services, signIn);
      throw refuse('2FA_SETUP_REQUIRED', { fields: { requires2FASetup: true, tempToken } });
    }
    const tempToken = await openChallenge(services, signIn);
    return { body: { requiresTwoFactor: true, tempToken, available2faMethods } };
  },
};

async function availableTo(
  services: Services,
  account: Account,
  firstMethod: string,
): Promise<string[]> {
  const names: string[] = [];
  for (const factor of secondFactors) {
    if (factor.name === firstMethod) continue;
    if (await factor.isAvailable(services, account)) names.push(factor.name);
  }
  return names;
}
