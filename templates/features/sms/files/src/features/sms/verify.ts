import { z } from 'zod';
import type { ErrorCode } from '../../error-codes.js';
import type { Call, Reply } from '../../http/route.js';
import { codeField } from './code-field.js';
import { useLoginCode } from './login-code.js';
import { isNamed, unnamed, whoFields } from './who.js';

export const VerifyCodeBody = z.object({ ...whoFields, code: codeField }).refine(isNamed, unnamed);

export const verifyCodeErrors: ErrorCode[] = ['INVALID_SMS_CODE'];

/** Signs in by a texted code. */
export async function verifyCode({
  body,
  request,
  services,
}: Call<z.output<typeof VerifyCodeBody>>): Promise<Reply> {
  return useLoginCode(services, request, body, body.code);
}
