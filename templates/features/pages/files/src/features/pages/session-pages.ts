import { html } from '../../http/html.js';
import { form } from './form.js';
import type { Page } from './page.js';
import { destinationOf, pathTo } from './paths.js';
import { pagesTexts } from './texts.js';

/** Signing out is a POST: a link, a picture or a prefetch of another site must not do it. */
export const signOutPage: Page = {
  path: '/ui/sign-out',
  title: () => pagesTexts.signOut,
  elsewhere: (visit) => (visit.caller ? undefined : pathTo(visit, '/ui/signed-out')),
  content: (visit) => html`<p>${pagesTexts.signOutText}</p>
${form(visit, { name: 'sign-out', submit: pagesTexts.signOut })}`,
  forms: {
    'sign-out': { submits: 'POST /logout', next: (visit) => pathTo(visit, '/ui/signed-out') },
  },
};

export const signedOutPage: Page = {
  path: '/ui/signed-out',
  title: () => pagesTexts.signedOut,
  content: (visit) => html`<p>${pagesTexts.signedOutText}</p>
<p><a class="button primary" href="${pathTo(visit, '/ui/login')}">${pagesTexts.signIn}</a></p>`,
};

/**
 * The way to where somebody wants to go, or to the sign-in: for pages that the refresh token is not sent to, since its
 * cookie lives below AUTH_PREFIX. The visit has renewed the session.
 */
export const continuePage: Page = {
  path: '/ui/',
  title: () => pagesTexts.signIn,
  elsewhere: (visit) => (visit.caller ? destinationOf(visit) : pathTo(visit, '/ui/login')),
  content: () => html``,
};
