import { z } from 'zod';
import type { ErrorCode } from '../../error-codes.js';
import type { RequestFacts } from '../../http/request.js';
import type { Call, Limit } from '../../http/route.js';
import { emailLang } from '../../mail/language.js';
import { LOGIN_PURPOSE, requestLoginCode } from './login-code.js';
import { textLimits } from './text-limits.js';
import { isNamed, keyOf, unnamed, whoFields } from './who.js';

export const SendBody = z.object({ ...whoFields, emailLang }).refine(isNamed, unnamed);
type SendBody = z.output<typeof SendBody>;

export const sendErrors: ErrorCode[] = [];

/** Counted for whoever is named: known and unknown ones are limited alike. */
export function sendLimits(body: SendBody, request: RequestFacts): Limit[] {
  return textLimits(LOGIN_PURPOSE, keyOf(body), request);
}

/** Texts the code that was asked for. */
export async function sendCode({ body, services }: Call<SendBody>): Promise<void> {
  requestLoginCode(services, body, body.emailLang);
}
