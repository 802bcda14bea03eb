import type { RequestFacts } from '../../http/request.js';
import type { Services } from '../../services.js';
import type { ProviderAccount } from './provider-account.js';

/**
 * Links an account elsewhere to a user; false if it is somebody else's already. What is linked to this
 * user already stays so. Call it within the transaction that decided about it.
 */
export async function linkAccount(
  services: Services,
  request: RequestFacts,
  userId: string,
  account: ProviderAccount,
): Promise<boolean> {
  const { provider, id } = account;
  const linked = await services.accountLinking.find(provider, id);
  if (linked) return linked.userId === userId;
  if (!(await services.accountLinking.add(userId, account))) return false;
  services.events.publish(
    'identity.user.linked',
    { provider, providerAccountId: id },
    { userId, request },
  );
  return true;
}
