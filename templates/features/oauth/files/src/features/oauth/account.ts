import { refuse } from '../../http/errors.js';
import type { RequestInfo } from '../../http/request.js';
import { defaultRole, emailProblem } from '../../policy.js';
import type { Services } from '../../services.js';
import { proveEmail } from '../../session/credentials.js';
import { afterFirstFactor, requireEnabled } from '../../session/finish-login.js';
import { openAccount } from '../../users/account.js';
import type { User } from '../../users/user.js';
import { ADDRESS, linkAccount } from '../account-linking/linked-accounts.js';
import { metadataOfNewUser } from './policy.js';
import type { Identity } from './provider.js';

/** Who signs in, or the user who already has the address. */
type Outcome = { userId: string } | { conflict: User };

/**
 * Finds or creates the account of an identity. First by provider and id, because addresses change hands.
 * By address only if the provider's verification of it counts and its owner has proven it here:
 * otherwise anybody could register a victim's address, there or here, and get into the victim's account.
 * Throws OAUTH_EMAIL_MISSING, OAUTH_SIGN_UP_REFUSED, ACCOUNT_DISABLED.
 */
export async function findOrCreateAccount(
  services: Services,
  request: RequestInfo,
  identity: Identity,
): Promise<Outcome> {
  const attempt = () =>
    services.transaction(async (tx) => {
      const outcome = await decide(tx, request, identity);
      if (outcome && 'userId' in outcome) {
        const { provider } = identity;
        tx.events.publish('identity.auth.oauth.success', { provider }, { ...outcome, request });
      }
      return outcome;
    });
  // Undefined: a parallel request created, moved or deleted the account first; the second attempt finds that.
  const outcome = (await attempt()) ?? (await attempt());
  if (!outcome) throw refuse('OAUTH_FAILED');
  return outcome;
}

async function decide(
  tx: Services,
  request: RequestInfo,
  identity: Identity,
): Promise<Outcome | undefined> {
  const { provider, id, email, isEmailVerified } = identity;
  const linked = await tx.accountLinking.find(provider, id);
  if (linked) return signInLinked(tx, request, linked.userId, identity);
  if (email === null) throw refuse('OAUTH_EMAIL_MISSING');
  const holder = await tx.users.findByEmail(email);
  const isProven = isEmailVerified && holder?.emailProvenAt !== null;
  if (holder && !isProven) return { conflict: holder };
  // Or the user who added the address to their account by mail.
  const userId = holder?.id ?? (await holderOfAdded(tx, email));
  if (!userId) return createAccount(tx, request, identity, email);
  // Whoever added the address does not expect a second account, and a conflict would reveal their own address.
  if (!isEmailVerified) throw refuse('OAUTH_SIGN_UP_REFUSED');
  // Before linking: once enabled again, a disabled account must not have gained a way in.
  await afterFirstFactor(userId, () => requireEnabled(tx, userId));
  // Read again under that lock: the account may just have moved to another address.
  if (holder && (await tx.users.findByEmail(email))?.id !== userId) return undefined;
  return (await linkAccount(tx, request, userId, identity)) ? { userId } : undefined;
}

/**
 * Locked, then read again: the first proof of the account's own address may be removing the added one. Until that
 * proof, a stranger may have created the account, and a sign-in here would make the browser the account's own.
 */
async function holderOfAdded(tx: Services, email: string): Promise<string | undefined> {
  const found = await tx.accountLinking.find(ADDRESS, email);
  const user = found && (await tx.users.lock(found.userId));
  if (user?.emailProvenAt === null) throw refuse('OAUTH_SIGN_UP_REFUSED');
  return found && (await tx.accountLinking.find(ADDRESS, email))?.userId;
}

/** Updates the link's description. A change of address at the provider changes nothing here. */
async function signInLinked(
  tx: Services,
  request: RequestInfo,
  userId: string,
  identity: Identity,
): Promise<Outcome | undefined> {
  const user = await tx.users.lock(userId);
  if (!user) return undefined;
  await tx.accountLinking.describe(identity);
  const provesAddress = identity.isEmailVerified && user.email === identity.email;
  if (provesAddress && user.emailProvenAt === null) {
    // This link is the proof: it must not be among what the proof removes.
    await tx.accountLinking.remove(userId, identity.provider, identity.id);
    await proveEmail(tx, request, user);
    await tx.accountLinking.add(userId, identity);
  }
  return { userId };
}

async function createAccount(
  tx: Services,
  request: RequestInfo,
  identity: Identity,
  email: string,
): Promise<Outcome | undefined> {
  const { provider: loginProvider, isEmailVerified: isEmailProven } = identity;
  const metadata = await metadataOfNewUser(loginProvider, identity);
  const isAllowed = metadata && (await emailProblem(email)) === undefined;
  if (!isAllowed) throw refuse('OAUTH_SIGN_UP_REFUSED');
  const newUser = { email, loginProvider, metadata, role: defaultRole, isEmailProven };
  const user = await openAccount(tx, newUser, { request });
  if (!user) return undefined;
  // Linked meanwhile under another address: the rollback leaves no second account behind.
  if (!(await tx.accountLinking.add(user.id, identity))) throw refuse('OAUTH_FAILED');
  const data = { provider: loginProvider, providerAccountId: identity.id };
  tx.events.publish('identity.user.linked', data, { userId: user.id, request });
  return { userId: user.id };
}
