/**
 * What a sign-in by a mailed link counts as. It proved the mailbox: were it to count as something
 * else, a mail could be asked for as another factor too, and the mailbox alone would do.
 */
export const LINK_METHOD = 'magic-link';
