import { createHash } from 'node:crypto';
import * as z from 'zod';
import type { RequestInfo } from '../../http/request.js';
import { Time } from '../../http/route.js';
import type { Services } from '../../services.js';
import type { User } from '../../users/user.js';
import { providers } from '../oauth/providers.js';

/** An account at a provider, as the provider describes it. */
export interface ProviderAccount {
  provider: string;
  /** The provider's constant id; never an address, which may change hands. */
  id: string;
  email: string | null;
  name: string | null;
  picture: string | null;
}

/** `linkedAt` in ms. */
export type LinkedAccount = ProviderAccount & { userId: string; linkedAt: number };

export const LinkedAccountView = z.object({
  provider: z.string(),
  providerAccountId: z.string(),
  email: z.string().nullable(),
  name: z.string().nullable(),
  picture: z.string().nullable(),
  linkedAt: Time,
});

export function linkedAccountView(account: LinkedAccount): z.output<typeof LinkedAccountView> {
  return LinkedAccountView.parse({ ...account, providerAccountId: account.id });
}

/** The provider name of an added address. Nobody can sign in with it alone. */
export const ADDRESS = 'email';
export const KIND = 'link';

/** The prefix of the kinds of one-time token that hold pending links. Only their payload is used, never the token. */
export const PENDING = 'pending-link:';
/** How long the owner of the address has to consent after a conflict, in ms. */
const PENDING_LIFETIME = 60 * 60 * 1000;

/** The kind for one account at a provider; a hash, since the column of kinds is too narrow for an id. */
export function pendingKind({ provider, id }: Key): string {
  const hash = createHash('sha256')
    .update(JSON.stringify([provider, id]))
    .digest('hex');
  return `${PENDING}${hash.slice(0, 18)}`;
}

/** A sign-in that ended in a conflict. */
export interface PendingLink {
  account: ProviderAccount;
  /** The hash of the browser that signed in. */
  browser: string;
}

/** Allows the sign-in to ask the owner of the address for a link, for an hour. */
export async function openPending({ oneTimeTokens }: Services, owner: User, pending: PendingLink) {
  const kind = pendingKind(pending.account);
  await oneTimeTokens.issue(kind, owner.id, PENDING_LIFETIME, JSON.stringify(pending));
}

/**
 * Links a provider's account to a user; false if it is linked to somebody else, true if it was already
 * theirs. Call it in the transaction that made the decision.
 */
export async function linkAccount(
  tx: Services,
  request: RequestInfo,
  userId: string,
  account: ProviderAccount,
): Promise<boolean> {
  const { provider, id } = account;
  const linked = await tx.accountLinking.find(provider, id);
  if (linked) return linked.userId === userId;
  if (!(await tx.accountLinking.add(userId, account))) return false;
  const data = { provider, providerAccountId: id };
  tx.events.publish('identity.user.linked', data, { userId, request });
  const user = await tx.users.findById(userId);
  const about = { language: request.language, what: nameOf(account) };
  if (user) await tx.mails.add('accountLinked', { email: user.email, ...about });
  return true;
}

type Key = Pick<ProviderAccount, 'provider' | 'id'>;

/** Its name for people. Owners would not recognize an id from a provider. */
export function nameOf({ provider, id }: Key): string {
  return provider === ADDRESS ? id : (providers[provider]?.title ?? provider);
}
