import { notice } from '../../mail/compose-mail.js';
import type { Device } from '../device-name/device-name.js';

interface SignIn {
  device: Device;
  ipAddress: string;
}

export const newDevice = notice(({ device: { browser, system }, ipAddress }: SignIn) => ({
  subject: { en: 'A new sign-in to your account', de: 'Neue Anmeldung an Ihrem Konto' },
  paragraphs: [
    {
      en: `Your account was used from a device that we have not seen before: ${browser ?? 'an app'} on ${system ?? 'an unknown system'}, IP address ${ipAddress}.`,
      de: `Ihr Konto wurde mit einem bisher unbekannten Gerät benutzt: ${browser ?? 'eine App'}, ${system ?? 'unbekanntes System'}, IP-Adresse ${ipAddress}.`,
    },
    {
      en: 'If it was you, there is nothing to do. If not, end that session at once, and ask for help.',
      de: 'Falls Sie das waren, müssen Sie nichts tun. Falls nicht, beenden Sie diese Sitzung sofort und bitten Sie um Hilfe.',
    },
  ],
}));
