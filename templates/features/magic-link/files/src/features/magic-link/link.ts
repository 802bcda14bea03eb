import type { Services } from '../../services.js';

/** The method's name in sessions and events. */
export const METHOD = 'magic-link';

/** The kind of one-time token that signs in. */
export const LOGIN_KIND = 'magic-link';

export const LIFETIME = 15 * 60 * 1000;

/**
 * Where a link leads: a page of the front end, which sends the token by POST when a person asks it
 * to. So the visit of a mail scanner uses nothing up. From APP_URL, never from the Host header: that
 * is the sender's to choose.
 */
export function magicLinkOf(services: Services, token: string): string {
  return `${services.config.APP_URL}/magic-link?token=${token}`;
}
