import { html } from '../../http/html.js';
import { hasPermission } from '../../users/account.js';
import type { Listed } from '../admin/list.js';
import type { AdminSessionView } from '../admin/sessions.js';
import { deviceName } from '../device-name/device-name.js';
import type { SignedIn } from '../pages/visit.js';
import { type Column, list, table } from './list.js';
import { type PanelPage, read } from './panel.js';
import { badge, confirmed, time, userLink } from './parts.js';
import { panelTexts } from './texts.js';
import type { UserSection } from './user.js';

/** The sessions of all users, the most recently active first. */
export const sessionsPage: PanelPage = {
  path: '/sessions',
  permission: 'sessions:read',
  isEntry: true,
  title: () => panelTexts.sessions,
  content: (visit) =>
    list<'sessions', AdminSessionView>(visit, {
      route: 'GET /sessions',
      of: 'sessions',
      filters: [{ name: 'filter', label: panelTexts.emailIpOrId, type: 'search' }],
      columns: () => [
        { title: panelTexts.user, cell: ({ userId, email }) => userLink(visit, userId, email) },
        ...sessionColumns(visit),
      ],
    }),
  forms: { 'end-session': { submits: 'DELETE /sessions/{handle}' } },
};

function sessionColumns(visit: SignedIn): Column<AdminSessionView>[] {
  const end: Column<AdminSessionView> = {
    title: panelTexts.act,
    cell: ({ handle }) =>
      confirmed(visit, panelTexts.endText, {
        name: 'end-session',
        submit: panelTexts.end,
        hidden: { handle },
      }),
  };
  return [
    {
      title: panelTexts.device,
      cell: ({ userAgent, isCurrent }) => [
        deviceName(userAgent),
        isCurrent && [' ', badge(panelTexts.thisDevice, 'good')],
      ],
    },
    { title: panelTexts.ip, cell: ({ ipAddress }) => ipAddress ?? '' },
    { title: panelTexts.lastActive, cell: ({ lastActiveAt }) => time(visit, lastActiveAt) },
    ...(hasPermission(visit.caller, 'sessions:write') ? [end] : []),
  ];
}

export const sessionsSection: UserSection = {
  permission: 'sessions:read',
  content: async (visit) => {
    const { sessions } = await read<Listed<'sessions', AdminSessionView>>(
      visit,
      'GET /users/{id}/sessions',
      { limit: 100 },
    );
    const mayEnd = hasPermission(visit.caller, 'sessions:write') && sessions.length > 0;
    return html`<h2>${panelTexts.sessions}</h2>
${table(sessions, sessionColumns(visit))}
${mayEnd && confirmed(visit, panelTexts.endAllText, { name: 'end-sessions', submit: panelTexts.endAll })}`;
  },
  forms: {
    'end-session': { submits: 'DELETE /sessions/{handle}' },
    'end-sessions': { submits: 'DELETE /users/{id}/sessions' },
  },
};
