import { type Html, html } from '../../http/html.js';
import type { Session } from '../../session/session-store.js';
import { deviceName } from '../device-name/device-name.js';
import { confirmedForm, form, linkButton } from './form.js';
import { ago, t } from './language.js';
import type { AccountPage, Page } from './page.js';
import { destinationOf, pathTo, type SignedIn } from './visit.js';

/** Where the user is signed in: they can end one session, or all but this one. */
export const sessionsPage: AccountPage = {
  section: 'access',
  order: 5,
  title: () => t('Where you are signed in'),
  state: async ({ services, caller }) => {
    const { length } = await services.sessions.listOfUser(caller.user.id);
    return html`${t('Devices and browsers:')} ${length}`;
  },
  content: async (visit) => {
    const sessions = await visit.services.sessions.listOfUser(visit.caller.user.id);
    const isHere = ({ id }: Session) => id === visit.caller.sessionId;
    // The current session comes first.
    const ordered = sessions.sort((one, other) => Number(isHere(other)) - Number(isHere(one)));
    const others = { name: 'others', submit: t('Sign out everywhere else') };
    return html`<ul class="rows">${ordered.map((each) => row(visit, each, isHere(each)))}</ul>
${sessions.length > 1 && confirmedForm(visit, t('All others will have to sign in again.'), others)}`;
  },
  forms: {
    end: { submits: 'DELETE /sessions/{handle}', done: t('That session has ended.') },
    others: { submits: 'DELETE /sessions', done: t('All your other sessions have ended.') },
  },
};

function row(visit: SignedIn, session: Session, isHere: boolean): Html {
  const { id: handle, userAgent, ipAddress, createdAt, lastActiveAt } = session;
  return html`<li><div>
<strong>${deviceName(userAgent) ?? t('Unknown device')}</strong> ${isHere && html`<span class="badge good">${t('this device')}</span>`}
<p class="aside">${t('last active')} ${ago(visit.language, lastActiveAt)} · ${t('signed in')} ${ago(visit.language, createdAt)}${ipAddress !== null && html` · ${ipAddress}`}</p>
</div>${!isHere && form(visit, { name: 'end', hidden: { handle }, submit: t('Sign out'), look: 'plain' })}</li>`;
}

/** Signing out is a POST: a link, an image or a prefetch on another site must not do it. */
export const signOutPage: Page = {
  title: () => t('Sign out'),
  elsewhere: (visit) => (visit.caller ? undefined : pathTo(visit, '/ui/signed-out')),
  content: (visit) => form(visit, { name: 'sign-out', submit: t('Sign out') }),
  forms: {
    'sign-out': { submits: 'POST /logout', next: (visit) => pathTo(visit, '/ui/signed-out') },
  },
};

export const signedOutPage: Page = {
  title: () => t('You are signed out'),
  elsewhere: (visit) => (visit.caller ? pathTo(visit, '/ui/account') : undefined),
  content: (visit) => linkButton(pathTo(visit, '/ui/login'), t('Sign in')),
};

/**
 * Redirects to where the visitor wants to go, or to the sign-in: for pages that do not get the refresh token, whose
 * cookie is sent only below AUTH_PREFIX. The visit has already renewed the session.
 */
export const continuePage: Page = {
  title: () => t('Sign in'),
  elsewhere: (visit) => (visit.caller ? destinationOf(visit) : pathTo(visit, '/ui/login')),
  content: () => html``,
  forms: {},
  forwardsForms: true,
};
