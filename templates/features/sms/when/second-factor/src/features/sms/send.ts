import { z } from 'zod';
import type { ErrorCode } from '../../error-codes.js';
import type { RequestFacts } from '../../http/request.js';
import type { Call, Limit } from '../../http/route.js';
import { emailLang } from '../../mail/language.js';
import { LOGIN_PURPOSE, requestLoginCode } from './login-code.js';
import { requestSecondFactorCode } from './second-factor-code.js';
import { textLimits } from './text-limits.js';
import { isNamed, keyOfNamed, unnamed, whoFields } from './who.js';

const LoginBody = z
  .object({ mode: z.literal('login').optional(), ...whoFields, emailLang })
  .refine(isNamed, unnamed);
const SecondFactorBody = z.object({
  mode: z.literal('2fa'),
  tempToken: z.string().max(4096).optional(),
  emailLang,
});
export const SendCodeBody = z.discriminatedUnion('mode', [LoginBody, SecondFactorBody]);
type SendCodeBody = z.output<typeof SendCodeBody>;

export const sendCodeErrors: ErrorCode[] = ['TEMP_TOKEN_REQUIRED', 'INVALID_TEMP_TOKEN'];

/** Counted for whoever is named: known and unknown ones are limited alike. */
export function sendCodeLimits(body: SendCodeBody, request: RequestFacts): Limit[] {
  return body.mode === '2fa' ? [] : textLimits(LOGIN_PURPOSE, keyOfNamed(body), request);
}

/** Texts the code that was asked for: the first step of a sign-in, or its second. */
export async function sendCode({ body, request, services }: Call<SendCodeBody>): Promise<void> {
  if (body.mode !== '2fa') return requestLoginCode(services, body, body.emailLang);
  await requestSecondFactorCode(services, request, body.tempToken, body.emailLang);
}
