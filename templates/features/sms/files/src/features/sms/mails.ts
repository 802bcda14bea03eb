import { changeNotice } from '../../mail/kinds.js';

/** A phone number in a mail, by its end: others may read the mailbox. */
export const phoneName = (phoneNumber: string) => ({
  en: `the phone number that ends in ${phoneNumber.slice(-3)}`,
  de: `die Telefonnummer, die auf ${phoneNumber.slice(-3)} endet`,
});

export const phoneAdded = changeNotice(({ phoneNumber }: { phoneNumber: string }) => ({
  en: `Codes for your account are now sent to ${phoneName(phoneNumber).en}.`,
  de: `Codes für Ihr Konto gehen nun an ${phoneName(phoneNumber).de}.`,
}));

export const phoneRemoved = changeNotice(({ phoneNumber }: { phoneNumber: string }) => ({
  en: `Codes for your account are no longer sent to ${phoneName(phoneNumber).en}.`,
  de: `Codes für Ihr Konto gehen nicht mehr an ${phoneName(phoneNumber).de}.`,
}));
