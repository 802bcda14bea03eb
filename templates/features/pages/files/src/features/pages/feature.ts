import type { Config } from '../../config.js';
import { defineFeature } from '../../feature.js';
import type { Route } from '../../http/route.js';
import type { Environment } from '../../process/environment.js';
import type { Services } from '../../services.js';
import { accountRoutes } from './account.js';
import { assetRoute, passwordScript, styleSheet } from './assets.js';
import { errorPage } from './error-page.js';
import { loginPage } from './login.js';
import { outboxPage } from './outbox.js';
import { routesOf } from './page.js';
import { profilePage } from './profile.js';
import { continuePage, signedOutPage, signOutPage } from './session-pages.js';
import { sessionsPage } from './sessions.js';
import { httpErrorTexts } from './texts.js';

export const pages = defineFeature({
  /** Where mails and providers lead, unless APP_URL names a front end of your own. */
  appPath: ({ AUTH_PREFIX }: Environment): string => `${AUTH_PREFIX ?? '/auth'}/ui`,
  pagePrefix: ({ AUTH_PREFIX }: Config): string => `${AUTH_PREFIX}/ui`,
  assets: [styleSheet, passwordScript],
  failurePage: errorPage,
  errorTexts: httpErrorTexts,
  accountPages: [profilePage, sessionsPage],
  pages: [loginPage, signOutPage, signedOutPage, continuePage, outboxPage],
  routes: (services: Services): Route[] => {
    const open = services.features.flatMap(({ pages }) => pages ?? []);
    const ofEverybody = open.flatMap((page) => routesOf(page, false));
    return [assetRoute, ...ofEverybody, ...accountRoutes(services)];
  },
});
