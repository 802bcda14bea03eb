import { z } from 'zod';
import type { ErrorCode } from '../../error-codes.js';
import type { Call, Limit } from '../../http/route.js';
import { emailLang } from '../../mail/language.js';
import { mailLimits } from '../../mail/mail-limits.js';
import { knownEmail } from '../../users/email.js';
import { LOGIN_KIND } from './link.js';
import { requestLoginLink } from './login-link.js';

export const SendLinkBody = z.object({ email: knownEmail, emailLang });
type SendLinkBody = z.output<typeof SendLinkBody>;

export const sendLinkErrors: ErrorCode[] = [];

/** Counted for the address as it is asked for: known and unknown ones are limited alike. */
export function sendLinkLimits(body: SendLinkBody): Limit[] {
  return mailLimits(LOGIN_KIND, body.email);
}

/** Mails the link that was asked for. */
export async function sendMagicLink({ body, services }: Call<SendLinkBody>): Promise<void> {
  requestLoginLink(services, body.email, body.emailLang);
}
