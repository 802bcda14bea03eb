import { changeNotice } from '../../mail/kinds.js';
import type { Device } from '../device-name/device-name.js';

type SignIn = { device: Device; ipAddress: string };

export const newDevice = changeNotice(({ device: { browser, system }, ipAddress }: SignIn) => ({
  en: `A new sign-in to your account: ${browser ?? 'an app'} on ${system ?? 'an unknown system'}, IP address ${ipAddress}.`,
  de: `Neue Anmeldung an Ihrem Konto: ${browser ?? 'eine App'}, ${system ?? 'unbekanntes System'}, IP-Adresse ${ipAddress}.`,
}));
