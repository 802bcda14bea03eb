import type { Config } from '../../config.js';
import { refuse } from '../../http/errors.js';
import type { RequestInfo } from '../../http/request.js';
import type { Limit, Result } from '../../http/route.js';
import { linkMail, mailLimits } from '../../mail/compose-mail.js';
import type { Services } from '../../services.js';
import { proveEmail } from '../../session/credentials.js';
import { accountKeyOf } from '../../session/device.js';
import { finishLogin } from '../../session/finish-login.js';

/** The method's name in sessions and events. */
export const METHOD = 'magic-link';
/** The kind of one-time token that a link signs in with. */
export const LOGIN_KIND = 'magic-link';
/** In ms. Short, since whoever has access to the mailbox can sign in. */
export const LIFETIME = 15 * 60 * 1000;

/** A page that sends the token by POST when a person asks it to: a visit by a mail scanner does not use it up. */
export const linkPage = ({ APP_URL }: Config) => `${APP_URL}/magic-link`;

/** Sent only to an address with an account; it opens none. */
export const magicLinkMail = linkMail({
  kind: LOGIN_KIND,
  lifetime: LIFETIME,
  page: linkPage,
  subject: { en: 'Your sign-in link', de: 'Ihr Link zur Anmeldung' },
  paragraphs: [
    {
      en: 'Someone asked for a link that signs in to your account. It works once, within 15 minutes.',
      de: 'Jemand hat einen Link angefordert, der Sie an Ihrem Konto anmeldet. Er gilt einmal und 15 Minuten lang.',
    },
    {
      en: 'If this was not you, ignore this email and do not share the link.',
      de: 'Falls Sie das nicht waren, ignorieren Sie diese E-Mail und geben Sie den Link niemandem.',
    },
  ],
  action: { en: 'Sign in', de: 'Anmelden' },
});

export async function loginLinkLimits(
  services: Services,
  request: RequestInfo,
  email: string,
): Promise<Limit[]> {
  const account = await accountKeyOf(services, request, { email });
  return mailLimits(LOGIN_KIND, account, ['magicLinkPerIp', request.ip]);
}

/** Signs in with the token of a link, which also proves the address. Throws INVALID_MAGIC_LINK. */
export async function useLoginLink(
  services: Services,
  request: RequestInfo,
  token: string,
): Promise<Result> {
  const user = await services.transaction(async (tx) => {
    const link = await tx.oneTimeTokens.consume(LOGIN_KIND, token);
    const user = link && (await tx.users.findById(link.userId));
    // A link mailed to an address that the account no longer has proves nothing.
    if (!user || user.email !== link?.payload) return undefined;
    await proveEmail(tx, request, user);
    return user;
  });
  if (!user) throw refuse('INVALID_MAGIC_LINK');
  const { id: userId, email } = user;
  // The account may be moving to another address at this moment, which ends its sessions.
  const confirm = async ({ users }: Services) => {
    if ((await users.findById(userId))?.email !== email) throw refuse('INVALID_MAGIC_LINK');
  };
  return finishLogin(services, request, { userId, method: METHOD, confirm });
}
