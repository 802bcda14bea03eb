import { html } from '../../http/html.js';
import { hasPermission } from '../../users/account.js';
import type { Listed } from '../admin/list.js';
import type { AdminSessionView } from '../admin/sessions.js';
import { deviceName } from '../device-name/device-name.js';
import type { SignedIn } from '../pages/visit.js';
import { type Column, list, table } from './list.js';
import { type PanelPage, read } from './panel.js';
import { badge, confirmed, outcome, time, userLink } from './parts.js';
import { panelTexts } from './texts.js';
import type { UserSection } from './user.js';

/** The sessions of all users, the latest active first. */
export const sessionsPage: PanelPage = {
  path: '/sessions',
  permission: 'sessions:read',
  isEntry: true,
  title: ({ language }) => panelTexts[language].sessions,
  content: async (visit) => {
    const t = panelTexts[visit.language];
    const user: Column<AdminSessionView> = {
      title: t.user,
      cell: ({ userId, email }) => userLink(visit, userId, email),
    };
    return html`${outcome(visit)}
${await list<'sessions', AdminSessionView>(visit, {
  route: 'GET /sessions',
  of: 'sessions',
  filters: [{ name: 'filter', label: t.emailIpOrId, type: 'search' }],
  columns: () => [user, ...sessionColumns(visit)],
})}`;
  },
  forms: { 'end-session': { submits: 'DELETE /sessions/{handle}' } },
};

function sessionColumns(visit: SignedIn): Column<AdminSessionView>[] {
  const t = panelTexts[visit.language];
  const end: Column<AdminSessionView> = {
    title: t.act,
    cell: ({ handle }) =>
      confirmed(visit, {
        name: 'end-session',
        label: t.end,
        warning: t.endText,
        hidden: { handle },
      }),
  };
  return [
    {
      title: t.device,
      cell: ({ userAgent, isCurrent }) => [
        deviceName(userAgent),
        isCurrent && [' ', badge(t.thisDevice, 'good')],
      ],
    },
    { title: t.ip, cell: ({ ipAddress }) => ipAddress ?? '' },
    { title: t.lastActive, cell: ({ lastActiveAt }) => time(visit, lastActiveAt) },
    ...(hasPermission(visit.caller, 'sessions:write') ? [end] : []),
  ];
}

export const sessionsSection: UserSection = {
  permission: 'sessions:read',
  content: async (visit) => {
    const t = panelTexts[visit.language];
    const { sessions } = await read<Listed<'sessions', AdminSessionView>>(
      visit,
      'GET /users/{id}/sessions',
      { limit: 100 },
    );
    const mayEnd = hasPermission(visit.caller, 'sessions:write') && sessions.length > 0;
    return html`<h2>${t.sessions}</h2>
${table(visit, sessions, sessionColumns(visit))}
${mayEnd && confirmed(visit, { name: 'end-sessions', label: t.endAll, warning: t.endAllText })}`;
  },
  forms: {
    'end-session': { submits: 'DELETE /sessions/{handle}' },
    'end-sessions': { submits: 'DELETE /users/{id}/sessions' },
  },
};
