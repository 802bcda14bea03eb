import { now } from '../../clock.js';
import { refuse } from '../../http/errors.js';
import { randomId } from '../../random.js';
import { secondFactors } from '../../second-factors.js';
import type { Services } from '../../services.js';
import type { Account } from '../../session/caller.js';
import type { LoginCheck } from '../../session/login-check.js';
import { signToken } from '../../session/tokens.js';
import { openChallenge } from './challenge.js';
import { isDemanded } from './demand.js';

/** The type of token that opens the set-up routes and nothing else. */
export const SETUP_TOKEN = '2fa-setup';
const SETUP_LIFETIME = 15 * 60 * 1000;

/**
 * Asks for a second factor if the user has an authenticator app, or if the policy demands one. The
 * factor that was used to get in does not count as the second.
 * Throws 2FA_SETUP_REQUIRED if one is demanded and the user has none.
 */
export const secondFactorLoginCheck: LoginCheck = {
  refuses: ['2FA_SETUP_REQUIRED'],
  async check(services, _request, account, signIn) {
    if (signIn.firstMethod !== undefined) return undefined;
    if (!account.isTotpEnabled && !(await isDemanded(services, account))) return undefined;
    const available2faMethods = await availableTo(services, account, signIn.method);
    if (available2faMethods.length === 0) throw setupRequired(services, account);
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

function setupRequired({ config, keys }: Services, { user }: Account) {
  const claims = { sub: user.id, typ: SETUP_TOKEN, jti: randomId() };
  const tempToken = signToken(config, keys.access, claims, now(), now() + SETUP_LIFETIME);
  return refuse('2FA_SETUP_REQUIRED', { fields: { requires2FASetup: true, tempToken } });
}
