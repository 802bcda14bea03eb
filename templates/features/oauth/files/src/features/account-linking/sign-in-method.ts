/** The method of a sign-in by a mailed link: it completes a sign-in at a provider. */
export const LINK_METHOD = 'oauth';
