import type { ErrorCode } from '../../feature.js';
import { refuse } from '../../http/errors.js';
import { type HtmlValue, html } from '../../http/html.js';
import { defaultRole } from '../../policy.js';
import type { UserView } from '../admin/users.js';
import { nameIn } from '../pages/account.js';
import { type Field, scriptButton } from '../pages/field.js';
import { form } from '../pages/form.js';
import { textOf } from '../pages/refusal.js';
import type { SignedIn } from '../pages/visit.js';
import { type Columns, list, table } from './list.js';
import { may, type PanelPage, panelPath } from './panel.js';
import { acted, badge, confirmed, tickedOf, time, userLink } from './parts.js';
import { rolesWithinOwn } from './roles.js';
import { t } from './texts.js';

/** The users, newest first: search, filters, and actions on several at once. */
export const usersPage: PanelPage = {
  permission: 'users:read',
  isEntry: true,
  title: () => t('Users'),
  done: acted.delete,
  content: async (visit) => {
    const mayWrite = may(visit, 'users:write');
    return list<UserView>(visit, {
      route: 'GET /users',
      filters,
      columns: async () => userColumns(visit, mayWrite && (await rolesWithinOwn(visit))),
      above: (users) => mayWrite && acts(visit, users.length > 0),
    });
  },
  forms: {
    bulk: {
      submits: 'POST /users/bulk',
      input: ({ act, ...fields }) => ({ act, ids: tickedUsers(fields) }),
      // One result for each user, refusals included.
      next: (visit, { body }, fields) => bulkResult(visit, body as BulkReply, fields),
    },
  },
};

/** Creates an account for somebody else, who then chooses how to sign in: each way there proves the mailbox. */
export const newUserPage: PanelPage = {
  permission: 'users:write',
  title: () => t('Create a user'),
  content: async (visit) => {
    const roles = await rolesWithinOwn(visit);
    const choices = Object.fromEntries(roles.map((name) => [name, name]));
    const hint = t('No email is sent.');
    const fields: Field[] = [
      { name: 'email', label: t('Email address'), inputmode: 'email', hint },
      ...(may(visit, 'roles:write')
        ? [{ name: 'role', label: t('Role'), choices, value: defaultRole }]
        : []),
    ];
    return form(visit, { name: 'create', fields, submit: t('Create a user') });
  },
  forms: {
    create: {
      submits: 'POST /users',
      beside: { USER_EXISTS: 'email', ROLE_NOT_FOUND: 'role' },
      next: (visit, { body }) =>
        panelPath(visit, `/users/${(body as { user: UserView }).user.id}?done=create`),
    },
  },
};

function tickedUsers(fields: Record<string, string>): string[] {
  const ids = tickedOf('user', fields);
  if (ids.length === 0) throw refuse('VALIDATION_FAILED', { message: 'Select at least one user.' });
  return ids;
}

const yesOrNo = { '': t('Any'), true: t('Yes'), false: t('No') };
const filters: Field[] = [
  { name: 'filter', label: t('Email, name or id'), type: 'search' },
  { name: 'disabled', label: t('Disabled'), choices: yesOrNo },
  { name: 'unverified', label: t('Unverified'), choices: yesOrNo },
  { name: 'role', label: t('Role') },
];

function acts(visit: SignedIn, hasUsers: boolean) {
  return html`<div class="acts"><a class="button primary" href="${panelPath(visit, '/users/new')}">${t('Create a user')}</a>
${hasUsers && html`${scriptButton('tick', 'bulk', t('Select all'))}${bulkActs(visit)}`}</div>`;
}

/** Checkboxes only for other users with these roles; none if false. */
function userColumns(visit: SignedIn, changeable: string[] | false): Columns<UserView> {
  const typed = visit.refusal?.typed ?? {};
  const tick = ({ id, email, roles }: UserView) =>
    changeable &&
    id !== visit.caller.user.id &&
    roles.every((role) => changeable.includes(role)) &&
    html`<input type="checkbox" name="user ${id}" value="${email}" form="bulk" aria-label="${email}"${typed[`user ${id}`] && html` checked`}>`;
  return [
    changeable && [t('Select'), tick],
    [t('Email address'), ({ id, email }) => userLink(visit, id, email)],
    [t('Name'), ({ metadata }) => nameIn(metadata)],
    [t('Roles'), ({ roles }) => roles.join(', ')],
    [t('State'), (user) => stateBadges(user)],
    [t('Created'), ({ createdAt }) => time(visit, createdAt)],
  ];
}

export function stateBadges({ isDisabled, isEmailVerified }: UserView): HtmlValue {
  return [
    isDisabled && html`${badge(t('Disabled'), 'bad')} `,
    !isEmailVerified && badge(t('Unverified')),
  ];
}

interface BulkReply {
  results: { id: string; code?: ErrorCode }[];
}

/** The checkboxes in the rows belong to this form too, by their `form` attribute. */
function bulkActs(visit: SignedIn) {
  const choices = { disable: t('Disable'), enable: t('Enable'), delete: t('Delete') };
  return confirmed(visit, t('For all selected users. Deleting cannot be undone.'), {
    name: 'bulk',
    id: 'bulk',
    submit: t('Apply to selected users'),
    fields: [{ name: 'act', label: t('Action'), choices }],
  });
}

/** The checkboxes carry the addresses, since a deleted user can no longer be looked up. */
function bulkResult(visit: SignedIn, { results }: BulkReply, sent: Record<string, string>) {
  const done = acted[sent.act as keyof typeof acted];
  const person = ({ id, code }: BulkReply['results'][number]) => {
    const email = sent[`user ${id}`] ?? id;
    const isGone = code ? code === 'NOT_FOUND' : sent.act === 'delete';
    return isGone ? email : userLink(visit, id, email);
  };
  return html`${table(results, [
    [t('User'), person],
    [t('Result'), ({ code }) => (code ? textOf(visit, { code, extra: {} }) : done)],
  ])}
<p><a class="button" href="${panelPath(visit, `/users?${visit.query}`)}">${t('Users')}</a></p>`;
}
