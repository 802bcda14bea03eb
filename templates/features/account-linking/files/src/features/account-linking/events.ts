export interface AccountLinkingEvents {
  'identity.user.linked': { provider: string; providerAccountId: string };
  'identity.user.unlinked': { provider: string; providerAccountId: string };
}
