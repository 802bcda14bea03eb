/** What a sign-in by a mailed link counts as: it ends a sign-in at a provider. */
export const LINK_METHOD = 'oauth';
