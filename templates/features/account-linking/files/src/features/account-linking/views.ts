import { z } from 'zod';
import type { LinkedAccount } from './store.js';

const LinkedAccountView = z.object({
  provider: z.string(),
  providerAccountId: z.string(),
  email: z.string().nullable(),
  name: z.string().nullable(),
  picture: z.string().nullable(),
  linkedAt: z.iso.datetime(),
});

export const LinkedAccountList = z.object({ linkedAccounts: z.array(LinkedAccountView) });

/** A linked account as its owner sees it. */
export function linkedAccountView(account: LinkedAccount): z.infer<typeof LinkedAccountView> {
  const { provider, id, email, name, picture, linkedAt } = account;
  const isoTime = new Date(linkedAt).toISOString();
  return { provider, providerAccountId: id, email, name, picture, linkedAt: isoTime };
}
