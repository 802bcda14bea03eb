import { z } from 'zod';
import type { ErrorCode } from '../../error-codes.js';
import type { Call, Reply } from '../../http/route.js';
import { useLoginLink } from './login-link.js';

export const VerifyLinkBody = z.object({ token: z.string().min(1).max(512) });

export const verifyLinkErrors: ErrorCode[] = ['INVALID_MAGIC_LINK'];

/** Signs in by the token of a link. */
export async function verifyMagicLink({
  body,
  request,
  services,
}: Call<z.output<typeof VerifyLinkBody>>): Promise<Reply> {
  return useLoginLink(services, request, body.token);
}
