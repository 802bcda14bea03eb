import { z } from 'zod';
import type { ErrorCode } from '../../error-codes.js';
import type { Call, Reply } from '../../http/route.js';
import { useLoginLink } from './login-link.js';
import { requireNoSecondFactorLink, useSecondFactorLink } from './second-factor-link.js';

export const VerifyLinkBody = z.object({
  token: z.string().min(1).max(512),
  mode: z.enum(['login', '2fa']).optional(),
  tempToken: z.string().max(4096).optional(),
});

export const verifyLinkErrors: ErrorCode[] = [
  'INVALID_MAGIC_LINK',
  'TOKEN_MISMATCH',
  'TEMP_TOKEN_REQUIRED',
  'INVALID_TEMP_TOKEN',
];

/** Signs in by the token of a link, or finishes a sign-in with it. */
export async function verifyMagicLink({
  body,
  request,
  services,
}: Call<z.output<typeof VerifyLinkBody>>): Promise<Reply> {
  const { token, mode, tempToken } = body;
  if (mode === '2fa') return useSecondFactorLink(services, request, tempToken, token);
  await requireNoSecondFactorLink(services, token);
  return useLoginLink(services, request, token);
}
