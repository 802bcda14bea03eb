import type { Config } from '../../config.js';
import { defineFeature } from '../../feature.js';
import type { HttpError } from '../../http/errors.js';
import type { HtmlValue } from '../../http/html.js';
import type { Result, Route } from '../../http/route.js';
import type { Environment } from '../../process/environment.js';
import type { Services } from '../../services.js';
import { type AccountPage, accountRoutes } from './account.js';
import { type Asset, assetRoute, passwordScript, styleSheet } from './assets.js';
import { errorPage } from './error-page.js';
import type { Field } from './form.js';
import type { ErrorTexts } from './language.js';
import { loginPage, type SignInWay } from './login.js';
import { type Page, routesOf } from './page.js';
import { profilePage } from './profile.js';
import type { ProofField } from './refusal.js';
import { continuePage, signedOutPage, signOutPage } from './session-pages.js';
import { sessionsPage } from './sessions.js';
import { outboxPage, type StartLink } from './start-page.js';
import { httpErrorTexts } from './texts.js';
import type { Visit } from './visit.js';

declare module '../../feature.js' {
  /** What features contribute to the pages. */
  interface FeatureParts {
    /** Pages for everybody. */
    pages?: readonly Page[];
    accountPages?: readonly AccountPage[];
    /** Style sheets and scripts of its pages. */
    assets?: readonly Asset[];
    /** Below it, all but the routes of the API is a page, and so is a 404. */
    pagePrefix?: (config: Config) => string;
    /** What the start page leads to: a path, and what is there. */
    startLinks?: (config: Config) => StartLink[];
    signInWay?: SignInWay;
    /** Below the form of the sign-in page: links to providers, or to where accounts are opened. */
    besideSignIn?: (visit: Visit) => HtmlValue;
    /** Where a sign-in goes on that is not finished: to its second step. */
    afterSignIn?: (visit: Visit, result: Result) => string | undefined;
    /** What opening an account asks for beside the address. */
    registerFields?: Field[];
    /** What is said to whoever has just opened an account. */
    registerNotice?: (visit: Visit) => Promise<HtmlValue>;
    /** What pages say of the error codes. */
    errorTexts?: ErrorTexts<never>;
    proofField?: ProofField;
    /** Where a page goes on after a refusal that is none: to a set-up that is missing. */
    afterRefusal?: (visit: Visit, error: HttpError) => string | undefined;
  }
}

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
