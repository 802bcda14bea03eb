import { z } from 'zod';
import type { ErrorCode } from '../../error-codes.js';
import type { RequestFacts } from '../../http/request.js';
import type { Call, Limit } from '../../http/route.js';
import { emailLang } from '../../mail/language.js';
import { LOGIN_PURPOSE, requestLoginCode } from './login-code.js';
import { textLimits } from './text-limits.js';
import { isNamed, keyOfNamed, unnamed, whoFields } from './who.js';

export const SendCodeBody = z.object({ ...whoFields, emailLang }).refine(isNamed, unnamed);
type SendCodeBody = z.output<typeof SendCodeBody>;

export const sendCodeErrors: ErrorCode[] = [];

/** Counted for whoever is named: known and unknown ones are limited alike. */
export function sendCodeLimits(body: SendCodeBody, request: RequestFacts): Limit[] {
  return textLimits(LOGIN_PURPOSE, keyOfNamed(body), request);
}

/** Texts the code that was asked for. */
export async function sendCode({ body, services }: Call<SendCodeBody>): Promise<void> {
  requestLoginCode(services, body, body.emailLang);
}
