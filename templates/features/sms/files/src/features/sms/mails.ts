import { changeNotice } from '../../mail/compose-mail.js';

/** A phone number in a mail, by its end: others may read the mailbox. */
export const phoneName = (phoneNumber: string) => ({
  en: `the phone number that ends in ${phoneNumber.slice(-3)}`,
  de: `die Telefonnummer, die auf ${phoneNumber.slice(-3)} endet`,
});

export const phoneAdded = changeNotice(
  {
    en: 'A phone number was added to your account',
    de: 'Ihrem Konto wurde eine Telefonnummer hinzugefügt',
  },
  ({ phoneNumber }: { phoneNumber: string }) => ({
    en: `Codes for your account are now sent to ${phoneName(phoneNumber).en}.`,
    de: `Codes für Ihr Konto gehen nun an ${phoneName(phoneNumber).de}.`,
  }),
);

export const phoneRemoved = changeNotice(
  { en: 'Your phone number was removed', de: 'Ihre Telefonnummer wurde entfernt' },
  ({ phoneNumber }: { phoneNumber: string }) => ({
    en: `Codes for your account are no longer sent to ${phoneName(phoneNumber).en}.`,
    de: `Codes für Ihr Konto gehen nicht mehr an ${phoneName(phoneNumber).de}.`,
  }),
);
