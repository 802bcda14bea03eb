import { defineTexts, type ErrorTextsOf } from '../../pages/language.js';
import type { registration } from '../feature.js';

export const texts = defineTexts({
  en: {
    isNew: 'New here?',
    register: 'Create an account',
    optional: 'optional',
    hasAccount: 'Already have an account?',
    registered: 'Your account is ready',
    useIt: 'Sign in to use it.',
  },
  de: {
    isNew: 'Neu hier?',
    register: 'Konto anlegen',
    optional: 'optional',
    hasAccount: 'Sie haben schon ein Konto?',
    registered: 'Ihr Konto ist angelegt',
    useIt: 'Melden Sie sich an, um es zu nutzen.',
  },
});

export const errorTexts: ErrorTextsOf<typeof registration> = {
  de: {
    REGISTRATION_REJECTED: 'Diese Registrierung ist nicht möglich.',
    'A name has at most # characters.': 'Ein Name hat höchstens # Zeichen.',
    USER_EXISTS: 'Es gibt schon ein Konto mit dieser Adresse.',
  },
};
