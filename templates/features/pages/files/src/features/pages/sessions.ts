import { type Html, html } from '../../http/html.js';
import type { Session } from '../../session/session-store.js';
import { deviceName } from '../device-name/device-name.js';
import { confirmedForm, form } from './form.js';
import { ago } from './language.js';
import type { AccountPage, Page } from './page.js';
import { pagesTexts } from './texts.js';
import { destinationOf, pathTo, type SignedIn } from './visit.js';

/** Where the user is signed in: they can end one session, or all but this one. */
export const sessionsPage: AccountPage = {
  path: '/ui/account/sessions',
  section: 'access',
  order: 5,
  title: () => pagesTexts.sessions,
  state: async ({ services, caller }) => {
    const { length } = await services.sessions.listOfUser(caller.user.id);
    return html`${pagesTexts.sessionCount} ${length}`;
  },
  content: async (visit) => {
    const sessions = await visit.services.sessions.listOfUser(visit.caller.user.id);
    const isHere = ({ id }: Session) => id === visit.caller.sessionId;
    // The current session comes first.
    const ordered = sessions.sort((one, other) => Number(isHere(other)) - Number(isHere(one)));
    return html`<ul class="rows">${ordered.map((each) => row(visit, each, isHere(each)))}</ul>
${
  sessions.length > 1 &&
  confirmedForm(visit, pagesTexts.endOthersText, { name: 'others', submit: pagesTexts.endOthers })
}`;
  },
  forms: {
    end: { submits: 'DELETE /sessions/{handle}', done: pagesTexts.sessionEnded },
    others: { submits: 'DELETE /sessions', done: pagesTexts.othersEnded },
  },
};

function row(visit: SignedIn, session: Session, isHere: boolean): Html {
  const { id: handle, userAgent, ipAddress, createdAt, lastActiveAt } = session;
  return html`<li><div>
<strong>${deviceName(userAgent)}</strong> ${isHere && html`<span class="badge good">${pagesTexts.thisDevice}</span>`}
<p class="aside">${pagesTexts.active} ${ago(visit.language, lastActiveAt)} · ${pagesTexts.sessionFrom} ${ago(visit.language, createdAt)}${ipAddress !== null && html` · ${ipAddress}`}</p>
</div>${
    !isHere &&
    form(visit, { name: 'end', hidden: { handle }, submit: pagesTexts.signOut, look: 'plain' })
  }</li>`;
}

/** Signing out is a POST: a link, an image or a prefetch on another site must not do it. */
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
 * Redirects to where the visitor wants to go, or to the sign-in: for pages that do not get the refresh token, whose
 * cookie is sent only below AUTH_PREFIX. The visit has already renewed the session.
 */
export const continuePage: Page = {
  path: '/ui/',
  title: () => pagesTexts.signIn,
  elsewhere: (visit) => (visit.caller ? destinationOf(visit) : pathTo(visit, '/ui/login')),
  content: () => html``,
};
