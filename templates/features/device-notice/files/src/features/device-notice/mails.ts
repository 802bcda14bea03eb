import { composeMail, inLanguage, type Texts } from '../../mail/compose-mail.js';
import type { Mail } from '../../mail/mailer.js';

const texts: Texts<{ subject: string; paragraphs(device: string, address: string): string[] }> = {
  en: {
    subject: 'A new sign-in to your account',
    paragraphs: (device, address) => [
      `Your account was used from a device that we have not seen before: ${device}, address ${address}.`,
      'If it was you, there is nothing to do. If not, end that session at once, and ask for help.',
    ],
  },
};

/** The notice of a sign-in from a new device. */
export function newDeviceMail(
  to: string,
  device: string,
  address: string,
  language?: string,
): Mail {
  const { subject, paragraphs } = inLanguage(texts, language);
  return composeMail({ to, subject, paragraphs: paragraphs(device, address) });
}
