import { defineFeature } from '../../../feature.js';
import type { Route } from '../../../http/route.js';
import { forget } from '../../pages/carried.js';
import type { SignInWay } from '../../pages/login.js';
import { pathTo } from '../../pages/paths.js';
import { magicLinkPage } from './magic-link.js';
import { errorTexts, texts } from './texts.js';

const signInWay: SignInWay = {
  name: 'magic-link',
  label: ({ language }) => texts[language].mailLink,
  form: {
    submits: 'POST /magic-link/send',
    next: (visit) => {
      // An older link that waits there is not the one that was just mailed.
      visit.cookies.push(forget(visit.services, '/ui/magic-link'));
      return pathTo(visit, '/ui/magic-link');
    },
  },
};

export const magicLinkPages = defineFeature({
  errorTexts,
  signInWay,
  routes: (): Route[] => magicLinkPage,
});
