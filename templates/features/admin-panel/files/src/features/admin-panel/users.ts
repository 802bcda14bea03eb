import type { ErrorCode } from '../../feature.js';
import { refuse } from '../../http/errors.js';
import { type HtmlValue, html } from '../../http/html.js';
import { hasPermission } from '../../users/account.js';
import type { UserView } from '../admin/users.js';
import { type Field, form } from '../pages/form.js';
import { textOf } from '../pages/refusal.js';
import type { SignedIn } from '../pages/visit.js';
import { type Column, list, table } from './list.js';
import { type PanelPage, panelPath } from './panel.js';
import { badge, confirmed, tickedOf, time, userLink } from './parts.js';
import { panelTexts } from './texts.js';

/** The users, newest first: search, filters, and actions on several at once. */
export const usersPage: PanelPage = {
  path: '/users',
  permission: 'users:read',
  isEntry: true,
  title: () => panelTexts.users,
  content: async (visit) => {
    const mayWrite = hasPermission(visit.caller, 'users:write');
    return list<'users', UserView>(visit, {
      route: 'GET /users',
      of: 'users',
      filters,
      columns: () => userColumns(visit, mayWrite),
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

/** Creates an account for somebody else, who then chooses how to sign in. */
export const newUserPage: PanelPage = {
  path: '/users/new',
  permission: 'users:write',
  title: () => panelTexts.newUser,
  content: (visit) => {
    const fields: Field[] = [
      { name: 'email', label: panelTexts.email, inputmode: 'email' },
      { name: 'role', label: panelTexts.roleOptional, isOptional: true },
    ];
    return form(visit, { name: 'create', fields, submit: panelTexts.newUser });
  },
  forms: {
    create: {
      submits: 'POST /users',
      input: ({ role, ...fields }) => ({ ...fields, role: role || undefined }),
      beside: { USER_EXISTS: 'email', ROLE_NOT_FOUND: 'role' },
      next: (visit, { body }) => {
        const { user } = body as { user: UserView };
        return panelPath(visit, `/users/${user.id}`);
      },
    },
  },
};

function tickedUsers(fields: Record<string, string>): string[] {
  const ids = tickedOf('user', fields);
  if (ids.length === 0) throw refuse('VALIDATION_FAILED', { message: 'Select at least one user.' });
  return ids;
}

const either = { '': panelTexts.any, true: panelTexts.yes, false: panelTexts.no };
const filters: Field[] = [
  { name: 'filter', label: panelTexts.emailNameOrId, type: 'search' },
  { name: 'disabled', label: panelTexts.disabled, choices: either },
  { name: 'unverified', label: panelTexts.unverified, choices: either },
  { name: 'role', label: panelTexts.role },
];

function acts(visit: SignedIn, isAnybodyHere: boolean) {
  const path = panelPath(visit, '/users/new');
  return html`<div class="acts"><a class="button primary" href="${path}">${panelTexts.newUser}</a>
${isAnybodyHere && bulkActs(visit)}</div>`;
}

function userColumns(visit: SignedIn, mayWrite: boolean): Column<UserView>[] {
  const typed = visit.refusal?.typed ?? {};
  const tick: Column<UserView> = {
    title: panelTexts.select,
    cell: ({ id, email }) =>
      html`<input type="checkbox" name="user ${id}" value="${email}" form="bulk" aria-label="${email}"${typed[`user ${id}`] && html` checked`}>`,
  };
  return [
    ...(mayWrite ? [tick] : []),
    { title: panelTexts.email, cell: ({ id, email }) => userLink(visit, id, email) },
    { title: panelTexts.name, cell: ({ metadata }) => nameOf(metadata) },
    { title: panelTexts.roles, cell: ({ roles }) => roles.join(', ') },
    { title: panelTexts.state, cell: (user) => stateBadges(user) },
    { title: panelTexts.created, cell: ({ createdAt }) => time(visit, createdAt) },
  ];
}

export function stateBadges({ isDisabled, isEmailVerified }: UserView): HtmlValue {
  return [
    isDisabled && html`${badge(panelTexts.disabled, 'bad')} `,
    !isEmailVerified && badge(panelTexts.unverified),
  ];
}

/** The name in a profile, as far as it is text. */
function nameOf({ name, firstName, lastName }: Record<string, unknown>): string {
  const parts = name ? [name] : [firstName, lastName];
  return parts.filter((part) => typeof part === 'string').join(' ');
}

interface BulkReply {
  results: { id: string; code?: ErrorCode }[];
}

/** The checkboxes in the rows belong to this form too: they name it. */
function bulkActs(visit: SignedIn) {
  const choices = {
    disable: panelTexts.disable,
    enable: panelTexts.enable,
    delete: panelTexts.delete,
  };
  return confirmed(visit, panelTexts.actOnManyText, {
    name: 'bulk',
    id: 'bulk',
    submit: panelTexts.actOnMany,
    fields: [{ name: 'act', label: panelTexts.act, choices }],
  });
}

/** The checkboxes carry the addresses, since a deleted user can no longer be looked up, nor linked to. */
function bulkResult(visit: SignedIn, { results }: BulkReply, sent: Record<string, string>) {
  const person = ({ id, code }: BulkReply['results'][number]) => {
    const email = sent[`user ${id}`] ?? id;
    return sent.act === 'delete' && !code ? email : userLink(visit, id, email);
  };
  return html`${table(results, [
    { title: panelTexts.user, cell: person },
    {
      title: panelTexts.result,
      cell: ({ code }) => (code ? textOf(visit, { code, extra: {} }) : panelTexts.done),
    },
  ])}
<p><a class="button" href="${panelPath(visit, '/users')}">${panelTexts.users}</a></p>`;
}
