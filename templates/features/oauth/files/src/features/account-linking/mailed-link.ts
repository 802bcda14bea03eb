import * as z from 'zod';
import { requireCsrfToken } from '../../http/cross-site.js';
import { refuse } from '../../http/errors.js';
import type { RequestInfo } from '../../http/request.js';
import { Issued, post, type Route } from '../../http/route.js';
import { askedByOthers, issueIfEnabled, mailLimits } from '../../mail/compose-mail.js';
import type { Services } from '../../services.js';
import { authenticate } from '../../session/authenticate.js';
import { proveEmail } from '../../session/credentials.js';
import { finishLogin } from '../../session/finish-login.js';
import { requireReauthentication } from '../../session/reauthentication.js';
import { emailField, requireAcceptableEmail } from '../../users/user.js';
import { isInUse } from '../oauth/configured-provider.js';
import { browserOf } from '../oauth/state.js';
import {
  ADDRESS,
  KIND,
  linkAccount,
  PENDING,
  type PendingLink,
  pendingKind,
} from './linked-accounts.js';
import { LIFETIME, type LinkTarget } from './mails.js';
import { LINK_METHOD } from './sign-in-method.js';

/** Loose: other fields may hold a reauthentication. */
const LinkRequest = z.looseObject({
  email: emailField,
  /** The provider of a sign-in that ended in a conflict. */
  provider: z.string().min(1).max(64).optional(),
  /** The account at the provider that the page was about: another may have met a conflict in this browser since. */
  pending: z.string().max(64).optional(),
});

type LinkRequest = z.infer<typeof LinkRequest>;

export const mailedLinkRoutes: Route[] = [
  /**
   * With a provider, its sign-in that ended in a conflict authorizes asking the owner of the address, and nothing else
   * does. Without one, the caller adds an address to their own account, which requires a recent sign-in because it is
   * a new credential. INVALID_TOKEN with neither, whether or not the address has an account.
   */
  post('/link-request', {
    summary: 'Mail a link that adds an address, or resolves an OAuth conflict',
    body: LinkRequest,
    readsCredential: 'accessToken',
    mayRequire: 'fresh',
    handle: async ({ body, request, services }) => {
      const pending = await findPending(services, request, body);
      // Whoever consents to a link after a conflict has not asked to add the address that a stranger's URL names.
      if (!pending && (body.provider ?? ADDRESS) !== ADDRESS) throw refuse('INVALID_TOKEN');
      const [ownerId, target] = pending ?? (await authorizeAddress(services, request, body));
      await services.limiter.consume(mailLimits(KIND, askedByOthers(body.email)));
      const payload = JSON.stringify(target);
      // Already now: when a mail that was held up is sent, its request may have been replaced or confirmed.
      await issueIfEnabled(services, KIND, ownerId, LIFETIME, payload);
      await services.mails.add('linkRequest', { ownerId, payload, language: request.language });
    },
  }),

  post('/link-verify', {
    summary: 'Link the account with the mailed token, and sign in if requested',
    body: z.object({
      token: z.string().min(1).max(512),
      loginAfterLinking: z.boolean().optional(),
    }),
    reply: Issued,
    readsCredential: 'accessToken',
    errors: ['INVALID_LINK_TOKEN'],
    signsIn: LINK_METHOD,
    limits: ({ request }) => [['secretsPerIp', request.ip]],
    handle: async ({ body, request, services }) => {
      const { isOwnAddress, userId, target } = await makeLink(services, request, body.token);
      if (!body.loginAfterLinking) return undefined;
      const { account, mailedTo, sessionId } = target;
      return finishLogin(services, request, {
        ...{ userId, method: LINK_METHOD },
        // Whoever created the account with another person's address may have added this mailbox to it.
        isWeak: !isOwnAddress,
        provider: account.provider === ADDRESS ? undefined : account.provider,
        // What ends all sessions at this moment, such as a reset or the first proof, must end this one too.
        async confirm(tx) {
          const linked = await tx.accountLinking.find(account.provider, account.id);
          const isOwn = (await tx.users.findByEmail(mailedTo))?.id === userId;
          const isVoid = linked?.userId !== userId || isOwn !== isOwnAddress;
          if (isVoid || (await hasEnded(tx, sessionId))) throw refuse('INVALID_LINK_TOKEN');
        },
      });
    },
  }),
];

/** Whose account the link is for, what it links, and whether this browser met the conflict. */
type Authorized = [ownerId: string, target: LinkTarget, isOwn?: boolean];

/**
 * The account that is pending for the address: the last one of this browser, which others may share, else the only
 * one. None if there are several, because any of them could be a stranger's. An unknown address takes as many queries.
 */
export async function findPending(
  services: Services,
  request: RequestInfo,
  { email, provider, pending: kind }: Pick<LinkRequest, 'email' | 'provider' | 'pending'>,
): Promise<Authorized | undefined> {
  if (provider === undefined || !isInUse(services.config, provider)) return undefined;
  const owner = await services.users.findByEmail(email);
  const payloads = await services.oneTimeTokens.payloadsOf(owner?.id ?? '', PENDING);
  const all = payloads.map((json): PendingLink => JSON.parse(json));
  const isMeant = (account: PendingLink['account']) => !kind || pendingKind(account) === kind;
  const pending = all.filter(({ account }) => account.provider === provider && isMeant(account));
  const { hash } = browserOf(services.config, request);
  const [match = pending[0]] = pending.filter(({ browser }) => browser === hash);
  if (!owner || !match || (match.browser !== hash && pending.length > 1)) return undefined;
  return [owner.id, { mailedTo: email, account: match.account }, match.browser === hash];
}

async function authorizeAddress(
  services: Services,
  request: RequestInfo,
  body: LinkRequest,
): Promise<Authorized> {
  const { email } = body;
  const caller = await authenticate(services, request, true);
  requireCsrfToken(services, request, caller);
  if (email !== caller.user.email) {
    await requireReauthentication(services, caller, 'fresh', body);
    await requireAcceptableEmail(email, 'email');
  }
  // The limits of an address protect only that address: one account must not mail any number of strangers.
  await services.limiter.consume(mailLimits(KIND, caller.user.id));
  const account = { provider: ADDRESS, id: email, email, name: null, picture: null };
  return [caller.user.id, { mailedTo: email, account, sessionId: caller.sessionId }];
}

/**
 * A link sent to the account's own address first proves that address; one sent to another mailbox
 * proves nothing about the account. The link ends with the session that requested it; otherwise a
 * thief who was signed out could still get in by an address of theirs. Throws INVALID_LINK_TOKEN.
 */
async function makeLink(services: Services, request: RequestInfo, token: string) {
  return services.transaction(async (tx) => {
    const consumed = await tx.oneTimeTokens.consume(KIND, token);
    const user = consumed && (await tx.users.lock(consumed.userId));
    if (!user) throw refuse('INVALID_LINK_TOKEN');
    const target: LinkTarget = JSON.parse(consumed.payload);
    const { account, mailedTo, sessionId } = target;
    if (!isInUse(tx.config, account.provider)) throw refuse('INVALID_LINK_TOKEN');
    const holder = await tx.users.findByEmail(mailedTo);
    const isOwnAddress = holder?.id === user.id;
    // Otherwise the address belongs to another account by now, or this account has changed its address.
    const isStillFree = holder === undefined && account.provider === ADDRESS;
    if (!(isOwnAddress || isStillFree)) throw refuse('INVALID_LINK_TOKEN');
    if (await hasEnded(tx, sessionId)) throw refuse('INVALID_LINK_TOKEN');
    await refuseOtherConflict(tx, request, target);
    if (isOwnAddress) await proveEmail(tx, request, user);
    if (!(await linkAccount(tx, request, user.id, account))) throw refuse('INVALID_LINK_TOKEN');
    await tx.oneTimeTokens.revoke(pendingKind(account), user.id);
    return { isOwnAddress, userId: user.id, target };
  });
}

/**
 * A browser that met a conflict links only such accounts: a stranger's link, mailed later, looks the same.
 * Throws INVALID_LINK_TOKEN.
 */
async function refuseOtherConflict(
  tx: Services,
  request: RequestInfo,
  { account, mailedTo }: LinkTarget,
): Promise<void> {
  const about = { provider: account.provider, email: mailedTo };
  const [, , metOne] = (await findPending(tx, request, about)) ?? [];
  const itself = { ...about, pending: pendingKind(account) };
  const [, , metThis] = (await findPending(tx, request, itself)) ?? [];
  if (metOne && !metThis) throw refuse('INVALID_LINK_TOKEN');
}

async function hasEnded({ sessions }: Services, id: string | undefined): Promise<boolean> {
  return id !== undefined && !(await sessions.find(id));
}
