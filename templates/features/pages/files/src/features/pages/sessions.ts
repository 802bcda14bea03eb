import { type Html, html } from '../../http/html.js';
import type { Session } from '../../session/session-store.js';
import { deviceName } from '../device-name/device-name.js';
import type { AccountPage } from './account.js';
import { confirmedForm, form } from './form.js';
import { ago } from './language.js';
import { pagesTexts } from './texts.js';
import type { SignedIn } from './visit.js';

/** Where somebody is signed in: one of these can be ended, or all but this one. */
export const sessionsPage: AccountPage = {
  path: '/ui/account/sessions',
  section: 'access',
  order: 5,
  title: () => pagesTexts.sessions,
  state: async ({ services, caller }) => {
    const { length } = await services.sessions.listOfUser(caller.user.id);
    return html`${pagesTexts.sessionCount} ${length}`;
  },
  done: { end: pagesTexts.sessionEnded, others: pagesTexts.othersEnded },
  content: async (visit) => {
    const sessions = await visit.services.sessions.listOfUser(visit.caller.user.id);
    const isHere = ({ id }: Session) => id === visit.caller.sessionId;
    // One's own comes first.
    const ordered = sessions.sort((one, other) => Number(isHere(other)) - Number(isHere(one)));
    return html`<ul class="rows">${ordered.map((each) => row(visit, each, isHere(each)))}</ul>
${
  sessions.length > 1 &&
  confirmedForm(visit, pagesTexts.endOthersText, { name: 'others', submit: pagesTexts.endOthers })
}`;
  },
  forms: {
    end: { submits: 'DELETE /sessions/{handle}' },
    others: { submits: 'DELETE /sessions' },
  },
};

function row(visit: SignedIn, session: Session, isHere: boolean): Html {
  const { id: handle, userAgent, ipAddress, createdAt, lastActiveAt } = session;
  const { language } = visit;
  return html`<li><div>
<strong>${deviceName(userAgent)}</strong> ${isHere && html`<span class="badge">${pagesTexts.thisDevice}</span>`}
<p class="aside">${pagesTexts.active} ${ago(language, lastActiveAt)} · ${pagesTexts.sessionFrom} ${ago(language, createdAt)}${ipAddress !== null && html` · ${ipAddress}`}</p>
</div>${
    !isHere &&
    form(visit, { name: 'end', hidden: { handle }, submit: pagesTexts.signOut, look: 'plain' })
  }</li>`;
}
