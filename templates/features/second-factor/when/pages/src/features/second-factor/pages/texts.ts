import { defineTexts, type ErrorTextsOf } from '../../pages/language.js';
import type { secondFactor } from '../feature.js';

export const texts = defineTexts({
  title: { en: 'One more step', de: 'Noch ein Schritt' },
  text: {
    en: 'A second factor protects your account. Confirm that it is you.',
    de: 'Ein zweiter Faktor schützt Ihr Konto. Bestätigen Sie, dass Sie es sind.',
  },
  submit: { en: 'Continue', de: 'Weiter' },
  restart: { en: 'Start again', de: 'Von vorn beginnen' },
});

export const errorTexts: ErrorTextsOf<typeof secondFactor> = {
  de: {
    INVALID_TEMP_TOKEN: 'Diese Anmeldung ist abgelaufen. Beginnen Sie noch einmal.',
    TEMP_TOKEN_REQUIRED: 'Diese Anmeldung ist abgelaufen. Beginnen Sie noch einmal.',
    METHOD_NOT_AVAILABLE: 'Auf diese Weise lässt sich diese Anmeldung nicht abschließen.',
    '2FA_SETUP_REQUIRED': 'Richten Sie zuerst einen zweiten Faktor ein.',
    '2FA_REQUIRED': 'Für dieses Konto ist ein zweiter Faktor vorgeschrieben.',
  },
};
