import { changeNotice } from '../../mail/compose-mail.js';
import type { Device } from '../device-name/device-name.js';

type SignIn = { device: Device; ipAddress: string };

export const newDevice = changeNotice(
  { en: 'A new sign-in to your account', de: 'Neue Anmeldung an Ihrem Konto' },
  ({ device: { browser, system }, ipAddress }: SignIn) => ({
    en: `Your account was used from a device that we have not seen before: ${browser ?? 'an app'} on ${system ?? 'an unknown system'}, IP address ${ipAddress}.`,
    de: `Ihr Konto wurde mit einem bisher unbekannten Gerät benutzt: ${browser ?? 'eine App'}, ${system ?? 'unbekanntes System'}, IP-Adresse ${ipAddress}.`,
  }),
);
