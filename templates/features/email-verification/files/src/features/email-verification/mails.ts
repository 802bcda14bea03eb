import { linkMail } from '../../mail/kinds.js';

export const KIND = 'email-verification';
const DAY = 24 * 60 * 60 * 1000;

export const verification = linkMail({
  kind: KIND,
  lifetime: DAY,
  page: ({ AUTH_PREFIX, BASE_URL }) => `${BASE_URL}${AUTH_PREFIX}/verify-email`,
  texts: (url) => ({
    en: {
      subject: 'Confirm your address',
      paragraphs: [
        'An account was opened with this address. The link confirms that it is yours; it works for 24 hours.',
        'If it was not you, ignore this mail.',
      ],
      action: { label: 'Confirm the address', url },
    },
  }),
});
