import type { Config } from '../../config.js';
import { defineFeature } from '../../feature.js';
import type { HttpError } from '../../http/errors.js';
import type { HtmlValue, Text } from '../../http/html.js';
import type { Result, Route } from '../../http/route.js';
import type { Environment } from '../../process/environment.js';
import type { Services } from '../../services.js';
import { accountPages, profilePage } from './account.js';
import { routesOf } from './answer.js';
import { errorPage, outboxPage, type StartLink } from './fallback.js';
import type { Field } from './field.js';
import type { Texts } from './language.js';
import { assetRoute } from './layout.js';
import { loginPage, type SignInWay } from './login.js';
import type { AccountPage, Pages } from './page.js';
import { continuePage, sessionsPage, signedOutPage, signOutPage } from './sessions.js';
import { pagesTexts } from './texts.js';
import type { Visit } from './visit.js';

declare module '../../feature.js' {
  /** The contributions of features to the pages. */
  interface FeatureParts {
    /** Pages for everybody. */
    pages?: Pages;
    accountPages?: Pages<AccountPage>;
    /** Everything below it is a page, a 404 too, except for the routes of the API. */
    pagePrefix?: (config: Config) => string;
    /** Links on the start page: a path and its label. */
    startLinks?: (config: Config) => StartLink[];
    signInWay?: SignInWay;
    /** Below the form of the sign-in page: links to providers, or to where accounts are created. */
    besideSignIn?: (visit: Visit) => HtmlValue;
    /** Where an unfinished sign-in continues: at its second step. */
    afterSignIn?: (visit: Visit, result: Result) => string | undefined;
    /** Fields of the form to create an account, beside the address. */
    registerFields?: (visit: Visit) => Field[];
    /** The text after creating an account; with a `title` it is a page of its own, for those who cannot sign in yet. */
    registerNotice?: (visit: Visit) => Promise<RegisterNotice | undefined>;
    /** What its pages say, in each language. */
    texts?: Texts;
    /** The form field for its reauthentication, with the same name as in the body of the route that requires it. */
    proofField?: Field;
    /** The page to continue at after a refusal that the visitor can resolve, such as a missing set-up. */
    afterRefusal?: (visit: Visit, error: HttpError) => string | undefined;
  }
}

/** What a visitor reads who has just created an account. */
export interface RegisterNotice {
  text: HtmlValue;
  /** The title of the page, if they cannot sign in yet: then the notice is all that they read. */
  title?: Text | undefined;
}

export const pages = defineFeature({
  /** Where mails and providers lead, unless APP_URL names a front end of your own. */
  appPath: ({ AUTH_PREFIX }: Environment): string => `${AUTH_PREFIX ?? '/auth'}/ui`,
  pagePrefix: ({ AUTH_PREFIX }: Config): string => `${AUTH_PREFIX}/ui`,
  failurePage: errorPage,
  texts: pagesTexts,
  accountPages: { '/ui/account/profile': profilePage, '/ui/account/sessions': sessionsPage },
  pages: {
    '/ui': continuePage,
    '/ui/': continuePage,
    '/ui/login': loginPage,
    '/ui/sign-out': signOutPage,
    '/ui/signed-out': signedOutPage,
    '/ui/outbox': outboxPage,
  },
  routes: (services: Services): Route[] => {
    const open = services.features.map(({ pages = {} }) => routesOf(pages));
    return [assetRoute, ...open.flat(), ...routesOf(accountPages(services))];
  },
});
