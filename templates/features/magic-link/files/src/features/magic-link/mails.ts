import type { Config } from '../../config.js';
import { linkMail } from '../../mail/kinds.js';

/** The kind of one-time token that signs in. */
export const LOGIN_KIND = 'magic-link';
/** In ms. Short, since whoever can read the mailbox meanwhile can sign in. */
export const LIFETIME = 15 * 60 * 1000;

/** A page that sends the token by POST when a person asks it to: the visit of a mail scanner uses nothing up. */
export const linkPage = ({ APP_URL }: Config) => `${APP_URL}/magic-link`;

/** To an address with an account; none is opened for it. */
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
      en: 'If it was not you, ignore this mail and give the link to nobody.',
      de: 'Falls Sie das nicht waren, ignorieren Sie diese E-Mail und geben Sie den Link niemandem.',
    },
  ],
  action: { en: 'Sign in', de: 'Anmelden' },
});
