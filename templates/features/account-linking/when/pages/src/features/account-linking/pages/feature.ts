import { defineFeature } from '../../../feature.js';
import type { Route } from '../../../http/route.js';
import { conflictPage, linkPage } from './link.js';
import { linkedAccountsPage } from './linked-accounts.js';
import { errorTexts } from './texts.js';

export const accountLinkingPages = defineFeature({
  accountPages: [linkedAccountsPage],
  errorTexts,
  routes: (): Route[] => [...conflictPage, ...linkPage],
});
