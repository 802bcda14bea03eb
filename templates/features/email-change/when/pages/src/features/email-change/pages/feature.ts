import { defineFeature } from '../../../feature.js';
import type { Route } from '../../../http/route.js';
import { changeEmailPage } from './change-email.js';
import { emailPage } from './email.js';
import { errorTexts } from './texts.js';

export const emailChangePages = defineFeature({
  accountPages: [emailPage],
  errorTexts,
  routes: (): Route[] => changeEmailPage,
});
