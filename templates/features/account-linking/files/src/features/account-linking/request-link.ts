import { requireCsrfToken } from '../../http/csrf.js';
import type { RequestFacts } from '../../http/request.js';
import { mailLimits } from '../../mail/mail-limits.js';
import type { Services } from '../../services.js';
import { authenticate } from '../../session/authenticate.js';
import { requireFreshSignIn } from '../../session/freshness.js';
import type { User } from '../../users/user.js';
import { browserHashOf } from './browser.js';
import { issueLinkToken } from './link-token.js';
import { addressInUseMail, linkRequestMail } from './mail.js';
import { addressAccount, type ProviderAccount } from './provider-account.js';

const KIND = 'link';

/** The body: an address in normal form, and the provider where a sign-in ended in a conflict. */
export interface LinkRequest {
  email: string;
  provider?: string | undefined;
  emailLang?: string | undefined;
  [proof: string]: unknown;
}

/** Whose account is to be opened by what, and the session that asks for it, if one does. */
interface Asked {
  owner: User;
  account: ProviderAccount;
  sessionId?: string;
}

/**
 * Mails a link. After a conflict, the sign-in at the provider is the authority to ask the owner of the
 * address; otherwise the caller asks to add an address to their own account, which takes a recent
 * sign-in since it is a new way in.
 * Throws INVALID_TOKEN with neither: whether or not the address has an account.
 */
export async function requestLink(
  services: Services,
  request: RequestFacts,
  body: LinkRequest,
): Promise<void> {
  const waiting = await findWaiting(services, request, body);
  if (waiting) {
    await services.limiter.consume(mailLimits(KIND, body.email));
    mailLink(services, waiting, body);
    return;
  }
  const caller = await authenticate(services, request, true);
  requireCsrfToken(services, request, caller);
  if (body.email !== caller.user.email) await requireFreshSignIn(services, caller, body);
  await services.limiter.consume(mailLimits(KIND, body.email));
  const { user: owner, sessionId } = caller;
  mailLink(services, { owner, account: addressAccount(body.email), sessionId }, body);
}

async function findWaiting(
  services: Services,
  request: RequestFacts,
  { email, provider }: LinkRequest,
): Promise<Asked | undefined> {
  if (provider === undefined) return undefined;
  const browserHash = browserHashOf(services.config, request);
  const account = await services.accountLinking.findPending(email, provider, browserHash);
  const owner = account && (await services.users.findByEmail(email));
  return owner && { owner, account };
}

/** After the answer: its time does not tell whether the address has an account of its own. */
function mailLink(
  services: Services,
  { owner, account, sessionId }: Asked,
  { email, emailLang }: LinkRequest,
): void {
  services.background.run('link mail', async () => {
    const holder = await services.users.findByEmail(email);
    if (holder && holder.id !== owner.id) {
      await services.mailer.send(addressInUseMail(email, emailLang));
      return;
    }
    const link = { userId: owner.id, mailedTo: email, account, sessionId };
    const token = await issueLinkToken(services, link);
    const url = `${services.config.APP_URL}/link-verify?token=${token}`;
    await services.mailer.send(linkRequestMail(email, owner.email, account, url, emailLang));
  });
}
