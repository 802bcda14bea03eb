import { defineTexts, type ErrorTextsOf } from '../../pages/language.js';
import type { sms } from '../feature.js';

export const texts = defineTexts({
  en: {
    phone: 'Phone',
    noPhone: 'No number yet',
    phoneText: 'We text codes to your phone when you sign in.',
    number: 'Phone number',
    newNumber: 'New phone number',
    numberHint: 'With its country code, such as +44 20 7946 0123.',
    textMe: 'Text me a code',
    codeSent: 'We texted you a code. It is good for 10 minutes.',
    verify: 'Confirm the number',
    otherNumber: 'Use another number, or ask for a new code',
    phoneAdded: 'Your phone number is confirmed.',
    remove: 'Remove the number',
    removeText: 'You will no longer be able to sign in by a texted code.',
    phoneRemoved: 'Your phone number is removed.',
    title: 'Enter your code',
    sent: 'If there is an account with this address and a phone, a code was texted to it. It is good for 10 minutes.',
    code: 'Code',
  },
  de: {
    phone: 'Telefon',
    noPhone: 'Noch keine Nummer',
    phoneText: 'Wenn Sie sich anmelden, schicken wir Codes an Ihr Telefon.',
    number: 'Telefonnummer',
    newNumber: 'Neue Telefonnummer',
    numberHint: 'Mit Landesvorwahl, etwa +49 30 901820.',
    textMe: 'Code per SMS schicken',
    codeSent: 'Wir haben Ihnen einen Code geschickt. Er gilt 10 Minuten.',
    verify: 'Nummer bestätigen',
    otherNumber: 'Andere Nummer verwenden oder neuen Code anfordern',
    phoneAdded: 'Ihre Telefonnummer ist bestätigt.',
    remove: 'Nummer entfernen',
    removeText: 'Sie können sich dann nicht mehr mit einem Code per SMS anmelden.',
    phoneRemoved: 'Ihre Telefonnummer ist entfernt.',
    title: 'Code eingeben',
    sent: 'Falls es ein Konto mit dieser Adresse und einer Telefonnummer gibt, ist ein Code per SMS unterwegs. Er gilt 10 Minuten.',
    code: 'Code',
  },
});

export const errorTexts: ErrorTextsOf<typeof sms> = {
  de: {
    INVALID_PHONE_NUMBER: 'Geben Sie die Nummer mit Landesvorwahl an, etwa +4915112345678.',
    PHONE_COUNTRY_NOT_ALLOWED: 'Nummern dieses Landes können hier nicht verwendet werden.',
    INVALID_SMS_CODE: 'Dieser Code ist falsch oder nicht mehr gültig.',
  },
};
