import { now } from '../../clock.js';
import { refuse } from '../../http/errors.js';
import type { RequestFacts } from '../../http/request.js';
import { defaultRole } from '../../policy.js';
import { inTransaction, type Services } from '../../services.js';
import { proveEmail } from '../../users/prove-email.js';
import type { User } from '../../users/user.js';
import { linkAccount } from '../account-linking/link-account.js';
import { addressAccount, type ProviderAccount } from '../account-linking/provider-account.js';
import type { Identity } from './identity.js';
import { metadataOfNewUser } from './policy.js';

/** Whose sign-in it is, or whose address stands in its way. */
export type Settlement = { userId: string } | { conflict: User };

/**
 * Finds or makes the account of an identity. By provider and id first: addresses change hands. By
 * address only if both sides have proved it; else whoever can write an address into a form, there or
 * here, would get into its owner's account.
 * Throws OAUTH_EMAIL_MISSING, OAUTH_SIGN_UP_REFUSED.
 */
export async function settleAccount(
  services: Services,
  request: RequestFacts,
  provider: string,
  identity: Identity,
): Promise<Settlement> {
  const attempt = () =>
    inTransaction(services, (inside) => settle(inside, request, provider, identity));
  // Undefined: a parallel sign-in made the account first. It is there now.
  return (await attempt()) ?? (await attempt()) ?? Promise.reject(refuse('OAUTH_FAILED'));
}

async function settle(
  services: Services,
  request: RequestFacts,
  provider: string,
  identity: Identity,
): Promise<Settlement | undefined> {
  const account = accountOf(provider, identity);
  const linked = await services.accountLinking.find(provider, identity.id);
  if (linked) return signInLinked(services, request, linked.userId, identity, account);
  const { email } = identity;
  if (email === null) throw refuse('OAUTH_EMAIL_MISSING');
  const holder = await services.users.findByEmail(email);
  if (!holder) {
    const owner = identity.isEmailVerified && (await findOwnerOfAddress(services, email));
    if (owner) return link(services, request, owner, account);
    return openAccount(services, request, identity, account, email);
  }
  const isProven = identity.isEmailVerified && holder.emailVerifiedAt !== null;
  return isProven ? link(services, request, holder.id, account) : { conflict: holder };
}

/** What the provider says now is shown from now on; a changed address there changes none here. */
async function signInLinked(
  services: Services,
  request: RequestFacts,
  userId: string,
  identity: Identity,
  account: ProviderAccount,
): Promise<Settlement> {
  await services.accountLinking.describe(account);
  const user = await services.users.findById(userId);
  const provesAddress = identity.isEmailVerified && user?.email === identity.email;
  if (user && provesAddress && user.emailVerifiedAt === null) {
    await proveEmail(services, request, user);
    // It went with everything else that was set before the proof, but it is what proves.
    await services.accountLinking.add(userId, account);
  }
  return { userId };
}

async function findOwnerOfAddress(services: Services, email: string): Promise<string | undefined> {
  const { provider, id } = addressAccount(email);
  return (await services.accountLinking.find(provider, id))?.userId;
}

async function link(
  services: Services,
  request: RequestFacts,
  userId: string,
  account: ProviderAccount,
): Promise<Settlement | undefined> {
  const isLinked = await linkAccount(services, request, userId, account);
  return isLinked ? { userId } : undefined;
}

async function openAccount(
  services: Services,
  request: RequestFacts,
  identity: Identity,
  account: ProviderAccount,
  email: string,
): Promise<Settlement | undefined> {
  const { provider } = account;
  const metadata = await metadataOfNewUser(provider, identity);
  if (!metadata) throw refuse('OAUTH_SIGN_UP_REFUSED');
  const emailVerifiedAt = identity.isEmailVerified ? now() : null;
  const user = await services.users.create({
    email,
    loginProvider: provider,
    metadata,
    emailVerifiedAt,
  });
  if (!user) return undefined;
  // Linked meanwhile, under another address: a second account must not be left behind.
  if (!(await services.accountLinking.add(user.id, account))) throw refuse('OAUTH_FAILED');
  await services.userRoles.assign(user.id, defaultRole);
  services.events.publish(
    'identity.user.created',
    { email, loginProvider: provider },
    { userId: user.id, request },
  );
  return { userId: user.id };
}

function accountOf(provider: string, { id, email, name, picture }: Identity): ProviderAccount {
  return { provider, id, email, name, picture };
}
