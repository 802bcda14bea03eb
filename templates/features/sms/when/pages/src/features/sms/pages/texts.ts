import { defineTexts, type ErrorTextsOf } from '../../pages/language.js';
import type { sms } from '../feature.js';

export const texts = defineTexts({
  phone: { en: 'Phone', de: 'Telefon' },
  noPhone: { en: 'No number yet', de: 'Noch keine Nummer' },
  phoneText: {
    en: 'We text codes to your phone when you sign in.',
    de: 'Wenn Sie sich anmelden, schicken wir Codes an Ihr Telefon.',
  },
  number: { en: 'Phone number', de: 'Telefonnummer' },
  newNumber: { en: 'New phone number', de: 'Neue Telefonnummer' },
  numberHint: {
    en: 'With its country code, such as +44 20 7946 0123.',
    de: 'Mit Landesvorwahl, etwa +49 30 901820.',
  },
  textMe: { en: 'Text me a code', de: 'Code per SMS schicken' },
  codeSent: {
    en: 'We texted you a code. It is good for 10 minutes.',
    de: 'Wir haben Ihnen einen Code geschickt. Er gilt 10 Minuten.',
  },
  verify: { en: 'Confirm the number', de: 'Nummer bestätigen' },
  otherNumber: {
    en: 'Use another number, or ask for a new code',
    de: 'Andere Nummer verwenden oder neuen Code anfordern',
  },
  phoneAdded: { en: 'Your phone number is confirmed.', de: 'Ihre Telefonnummer ist bestätigt.' },
  remove: { en: 'Remove the number', de: 'Nummer entfernen' },
  removeText: {
    en: 'You will no longer be able to sign in by a texted code.',
    de: 'Sie können sich dann nicht mehr mit einem Code per SMS anmelden.',
  },
  phoneRemoved: { en: 'Your phone number is removed.', de: 'Ihre Telefonnummer ist entfernt.' },
  title: { en: 'Enter your code', de: 'Code eingeben' },
  sent: {
    en: 'If there is an account with this address and a phone, a code was texted to it. It is good for 10 minutes.',
    de: 'Falls es ein Konto mit dieser Adresse und einer Telefonnummer gibt, ist ein Code per SMS unterwegs. Er gilt 10 Minuten.',
  },
  code: { en: 'Code', de: 'Code' },
});

export const errorTexts: ErrorTextsOf<typeof sms> = {
  de: {
    INVALID_PHONE_NUMBER: 'Geben Sie die Nummer mit Landesvorwahl an, etwa +4915112345678.',
    PHONE_COUNTRY_NOT_ALLOWED: 'Nummern dieses Landes können hier nicht verwendet werden.',
    INVALID_SMS_CODE: 'Dieser Code ist falsch oder nicht mehr gültig.',
  },
};
