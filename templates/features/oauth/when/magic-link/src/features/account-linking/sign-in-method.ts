/**
 * The method of a sign-in by a mailed link. It proves the mailbox, so it must count as a magic link:
 * otherwise another mail could serve as its other factor, and the mailbox alone would be enough.
 */
export const LINK_METHOD = 'magic-link';
