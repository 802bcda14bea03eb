import type { Services } from '../../services.js';
import type { Account } from '../../session/caller.js';
import { currentSetting } from '../../settings/current-setting.js';
import { requiresSecondFactor } from './policy.js';

/** True if the policy, of the team or of an administrator, wants a second factor of this account. */
export async function isDemanded(services: Services, account: Account): Promise<boolean> {
  if (requiresSecondFactor(account)) return true;
  return currentSetting(services, 'require2FA');
}
