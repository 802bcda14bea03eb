import { html } from '../../http/html.js';
import { form } from './form.js';
import type { Page } from './page.js';
import { destinationOf, pathTo } from './paths.js';
import { pagesTexts } from './texts.js';

/** Signing out is a POST: a link, a picture or a prefetch of another site must not do it. */
export const signOutPage: Page = {
  path: '/ui/sign-out',
  title: ({ language }) => pagesTexts[language].signOut,
  elsewhere: (visit) => (visit.caller ? undefined : pathTo(visit, '/ui/signed-out')),
  content: (visit) => {
    const t = pagesTexts[visit.language];
    return html`<p>${t.signOutText}</p>
${form(visit, { name: 'sign-out', submit: t.signOut })}`;
  },
  forms: {
    'sign-out': { submits: 'POST /logout', next: (visit) => pathTo(visit, '/ui/signed-out') },
  },
};

export const signedOutPage: Page = {
  path: '/ui/signed-out',
  title: ({ language }) => pagesTexts[language].signedOut,
  content: (visit) => {
    const t = pagesTexts[visit.language];
    return html`<p>${t.signedOutText}</p>
<p><a class="button primary" href="${pathTo(visit, '/ui/login')}">${t.signIn}</a></p>`;
  },
};

/**
 * The way to where somebody wants to go, or to the sign-in: for pages that the refresh token is not sent to, since its
 * cookie lives below AUTH_PREFIX. The visit has renewed the session.
 */
export const continuePage: Page = {
  path: '/ui/',
  title: ({ language }) => pagesTexts[language].signIn,
  elsewhere: (visit) => (visit.caller ? destinationOf(visit) : pathTo(visit, '/ui/login')),
  content: () => html``,
};
