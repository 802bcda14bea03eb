import { html } from '../../http/html.js';
import { outranks } from '../admin/privilege.js';
import type { AdminSessionView } from '../admin/sessions.js';
import { deviceName } from '../device-name/device-name.js';
import type { Form } from '../pages/page.js';
import type { SignedIn } from '../pages/visit.js';
import { type Columns, list, readList, table } from './list.js';
import { may, type PanelPage } from './panel.js';
import { badge, confirmed, time, userLink } from './parts.js';
import { t } from './texts.js';
import type { UserSection } from './user.js';

const endSession: Form = {
  submits: 'DELETE /sessions/{handle}',
  done: t('That session has ended.'),
};

/** The sessions of all users, the most recently active first. */
export const sessionsPage: PanelPage = {
  permission: 'sessions:read',
  isEntry: true,
  title: () => t('Sessions'),
  content: (visit) =>
    list<AdminSessionView>(visit, {
      route: 'GET /sessions',
      filters: [{ name: 'filter', label: t('Email, IP address or user id'), type: 'search' }],
      columns: async (sessions) => [
        [t('User'), ({ userId, email }) => userLink(visit, userId, email)],
        ...(await sessionColumns(visit, sessions)),
      ],
    }),
  forms: { 'end-session': endSession },
};

async function sessionColumns(visit: SignedIn, sessions: AdminSessionView[]) {
  const above = new Set<string>();
  for (const id of new Set(sessions.map(({ userId }) => userId))) {
    if (await outranks(visit.services, visit.caller, id)) above.add(id);
  }
  const end = ({ handle, userId, email }: AdminSessionView) =>
    !above.has(userId) &&
    confirmed(visit, t('They are signed out on that device.'), {
      name: 'end-session',
      submit: t('End'),
      hidden: { handle },
      about: email,
    });
  const device = ({ userAgent }: AdminSessionView) => deviceName(userAgent) ?? t('Unknown device');
  const here = badge(t('this device'), 'good');
  return [
    [t('Device'), (session) => html`${device(session)} ${session.isCurrent && here}`],
    [t('IP address'), ({ ipAddress }) => ipAddress ?? ''],
    [t('Last active'), ({ lastActiveAt }) => time(visit, lastActiveAt)],
    may(visit, 'sessions:write') && [t('Action'), end],
  ] satisfies Columns<AdminSessionView>;
}

export const sessionsSection: UserSection = {
  permission: 'sessions:read',
  content: async (visit, { email: about }, isBelow) => {
    const route = 'GET /users/{id}/sessions';
    const { items: sessions } = await readList<AdminSessionView>(visit, route, { limit: '100' });
    const mayEnd = isBelow && may(visit, 'sessions:write') && sessions.length > 0;
    return html`<h2>${t('Sessions')}</h2>
${table(sessions, await sessionColumns(visit, sessions))}
${mayEnd && confirmed(visit, t('They are signed out everywhere.'), { name: 'end-sessions', submit: t('End all sessions'), about })}`;
  },
  forms: {
    'end-session': endSession,
    'end-sessions': {
      submits: 'DELETE /users/{id}/sessions',
      done: t('All their sessions have ended.'),
    },
  },
};
