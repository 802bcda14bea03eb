import { z } from 'zod';
import type { ErrorCode } from '../../error-codes.js';
import type { Call, Reply } from '../../http/route.js';
import { codeField } from './code-field.js';
import { useLoginCode } from './login-code.js';
import { useSecondFactorCode } from './second-factor-code.js';
import { isNamed, unnamed, whoFields } from './who.js';

const LoginBody = z
  .object({ mode: z.literal('login').optional(), ...whoFields, code: codeField })
  .refine(isNamed, unnamed);
const SecondFactorBody = z.object({
  mode: z.literal('2fa'),
  tempToken: z.string().max(4096).optional(),
  code: codeField,
});
export const VerifyCodeBody = z.discriminatedUnion('mode', [LoginBody, SecondFactorBody]);

export const verifyCodeErrors: ErrorCode[] = [
  'INVALID_SMS_CODE',
  'TEMP_TOKEN_REQUIRED',
  'INVALID_TEMP_TOKEN',
];

/** Signs in by a texted code, or finishes a sign-in with it. */
export async function verifyCode({
  body,
  request,
  services,
}: Call<z.output<typeof VerifyCodeBody>>): Promise<Reply> {
  if (body.mode !== '2fa') return useLoginCode(services, request, body, body.code);
  return useSecondFactorCode(services, request, body.tempToken, body.code);
}
