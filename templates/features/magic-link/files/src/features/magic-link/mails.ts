import type { Config } from '../../config.js';
import { linkMail } from '../../mail/compose-mail.js';

/** The kind of one-time token that a link signs in with. */
export const LOGIN_KIND = 'magic-link';
/** In ms. Short, since whoever has access to the mailbox can sign in. */
export const LIFETIME = 15 * 60 * 1000;

/** A page that sends the token by POST when a person asks it to: a visit by a mail scanner does not use it up. */
export const linkPage = ({ APP_URL }: Config) => `${APP_URL}/magic-link`;

/** Sent only to an address with an account; it opens none. */
export const magicLinkMail = linkMail({
  kind: LOGIN_KIND,
  lifetime: LIFETIME,
  page: linkPage,
  subject: { en: 'Your link to sign in', de: 'Ihr Link zur Anmeldung' },
  paragraphs: [
    {
      en: 'Somebody asked for a link that signs in to your account. It works once, within 15 minutes.',
      de: 'Jemand hat einen Link angefordert, der Sie an Ihrem Konto anmeldet. Er gilt einmal und 15 Minuten lang.',
    },
    {
      en: 'If it was not you, ignore this mail and do not share the link.',
      de: 'Falls Sie das nicht waren, ignorieren Sie diese E-Mail und geben Sie den Link niemandem.',
    },
  ],
  action: { en: 'Sign in', de: 'Anmelden' },
});
