import { defineTexts, type ErrorTextsOf } from '../../pages/language.js';
import type { registration } from '../feature.js';

export const texts = defineTexts({
  isNew: { en: 'New here?', de: 'Neu hier?' },
  register: { en: 'Create an account', de: 'Konto anlegen' },
  optional: { en: 'optional', de: 'optional' },
  hasAccount: { en: 'Already have an account?', de: 'Sie haben schon ein Konto?' },
  registered: { en: 'Your account is ready', de: 'Ihr Konto ist angelegt' },
  useIt: { en: 'Sign in to use it.', de: 'Melden Sie sich an, um es zu nutzen.' },
});

export const errorTexts: ErrorTextsOf<typeof registration> = {
  de: {
    REGISTRATION_REJECTED: 'Diese Registrierung ist nicht möglich.',
    'A name has at most # characters.': 'Ein Name hat höchstens # Zeichen.',
    USER_EXISTS: 'Es gibt schon ein Konto mit dieser Adresse.',
  },
};
