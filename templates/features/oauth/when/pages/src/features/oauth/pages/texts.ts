import { defineTexts, type ErrorTextsOf } from '../../pages/language.js';
import type { oauth } from '../feature.js';

export const texts = defineTexts({
  continueWith: { en: 'Continue with', de: 'Weiter mit' },
  toLink: {
    en: 'To link another account, sign in with it. Its address there must be one of yours here, such as',
    de: 'Um ein weiteres Konto zu verknüpfen, melden Sie sich damit an. Es muss dort eine Adresse haben, die auch hier Ihre ist, etwa',
  },
});

export const errorTexts: ErrorTextsOf<typeof oauth> = {
  de: {
    OAUTH_NOT_CONFIGURED: 'Dieser Anbieter ist hier nicht eingerichtet.',
    OAUTH_RETURN_PATH_INVALID: 'Die Adresse, zu der es weitergehen sollte, ist ungültig.',
    INVALID_OAUTH_STATE:
      'Diese Anmeldung wurde nicht in diesem Browser begonnen oder wurde schon benutzt. Beginnen Sie noch einmal.',
    OAUTH_ACCOUNT_CONFLICT: 'Es gibt schon ein Konto mit dieser Adresse.',
    OAUTH_EMAIL_MISSING: 'Der Anbieter hat keine E-Mail-Adresse genannt.',
    OAUTH_SIGN_UP_REFUSED: 'Auf diese Weise kann kein Konto angelegt werden.',
    OAUTH_FAILED: 'Die Anmeldung beim Anbieter ist gescheitert. Versuchen Sie es noch einmal.',
  },
};
