import { z } from 'zod';
import type { Services } from '../../services.js';
import type { ProviderAccount } from './provider-account.js';

const KIND = 'link';
const HOUR = 60 * 60 * 1000;

const Payload = z.object({
  mailedTo: z.string(),
  sessionId: z.string().optional(),
  account: z.object({
    provider: z.string(),
    id: z.string(),
    email: z.string().nullable(),
    name: z.string().nullable(),
    picture: z.string().nullable(),
  }),
});

/** What a mailed link is about. */
export interface Link {
  userId: string;
  mailedTo: string;
  account: ProviderAccount;
  /** The session that asked for it; undefined if a sign-in that met a conflict did. */
  sessionId?: string | undefined;
}

/**
 * Makes a link's token, valid for one hour. The account is written into it now: what happens at the
 * provider between the mail and its reading changes nothing about what the owner consents to.
 */
export function issueLinkToken(services: Services, { userId, ...link }: Link): Promise<string> {
  return services.oneTimeTokens.issue(KIND, userId, HOUR, JSON.stringify(link));
}

/** Uses up a link's token; undefined if it is unknown, used or expired. */
export async function consumeLinkToken(
  services: Services,
  token: string,
): Promise<Link | undefined> {
  const consumed = await services.oneTimeTokens.consume(KIND, token);
  return consumed && { userId: consumed.userId, ...Payload.parse(JSON.parse(consumed.payload)) };
}
