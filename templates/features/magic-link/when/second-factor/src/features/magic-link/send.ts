import { z } from 'zod';
import type { ErrorCode } from '../../error-codes.js';
import type { Call, Limit } from '../../http/route.js';
import { emailLang } from '../../mail/language.js';
import { mailLimits } from '../../mail/mail-limits.js';
import { knownEmail } from '../../users/email.js';
import { LOGIN_KIND } from './link.js';
import { requestLoginLink } from './login-link.js';
import { requestSecondFactorLink } from './second-factor-link.js';

const LoginBody = z.object({ mode: z.literal('login').optional(), email: knownEmail, emailLang });
const SecondFactorBody = z.object({
  mode: z.literal('2fa'),
  tempToken: z.string().max(4096).optional(),
  emailLang,
});
export const SendLinkBody = z.discriminatedUnion('mode', [LoginBody, SecondFactorBody]);
type SendLinkBody = z.output<typeof SendLinkBody>;

export const sendLinkErrors: ErrorCode[] = ['TEMP_TOKEN_REQUIRED', 'INVALID_TEMP_TOKEN'];

/** Counted for the address as it is asked for: known and unknown ones are limited alike. */
export function sendLinkLimits(body: SendLinkBody): Limit[] {
  return body.mode === '2fa' ? [] : mailLimits(LOGIN_KIND, body.email);
}

/** Mails the link that was asked for: the first step of a sign-in, or its second. */
export async function sendMagicLink({ body, services }: Call<SendLinkBody>): Promise<void> {
  if (body.mode !== '2fa') return requestLoginLink(services, body.email, body.emailLang);
  await requestSecondFactorLink(services, body.tempToken, body.emailLang);
}
