import { type HtmlValue, html } from '../../http/html.js';
import type { Services } from '../../services.js';
import { outranks } from '../admin/privilege.js';
import type { UserView } from '../admin/users.js';
import { profileInputs } from '../pages/account.js';
import { form } from '../pages/form.js';
import type { Form } from '../pages/page.js';
import type { SignedIn } from '../pages/visit.js';
import { auditSection } from './audit.js';
import { downloadPath, may, type PanelPage, panelPath, read } from './panel.js';
import { actButton, acted, badge, confirmed, parsedJson, time } from './parts.js';
import { rolesSection } from './roles.js';
import { sessionsSection } from './sessions.js';
import { t } from './texts.js';
import { stateBadges } from './users.js';

/** A feature's data about a user and its actions on them, for callers with the permission. */
export interface UserSection {
  permission: string;
  /** `isBelow` is false if the user has a permission that the caller lacks, who then may not act on them. */
  content(visit: SignedIn, user: UserView, isBelow: boolean): Promise<HtmlValue>;
  /** By the name that the section's buttons send. */
  forms?: Record<string, Form>;
}

declare module '../../feature.js' {
  interface FeatureParts {
    panelUserSection?: UserSection;
  }
}

function sectionsOf({ features }: Services): UserSection[] {
  const others = features.flatMap(({ panelUserSection }) => panelUserSection ?? []);
  return [metadataSection, rolesSection, ...others, sessionsSection, auditSection];
}

/** All that is known about one user, and all actions on them. */
export const userPage: PanelPage = {
  permission: 'users:read',
  title: async (visit) => (await readUser(visit)).email,
  content: async (visit) => {
    const user = await readUser(visit);
    const isBelow = !(await outranks(visit.services, visit.caller, user.id));
    const shown = sectionsOf(visit.services).filter(({ permission }) => may(visit, permission));
    const parts = await Promise.all(shown.map((section) => section.content(visit, user, isBelow)));
    return html`<dl>
<dt>${t('State')}</dt><dd>${user.isDisabled ? '' : badge(t('Enabled'), 'good')} ${stateBadges(user)}</dd>
${profileOf(visit, user)}
<dt>${t('Created')}</dt><dd>${time(visit, user.createdAt)}${user.loginProvider !== 'local' && ` · ${user.loginProvider}`}</dd>
<dt>${t('Id')}</dt><dd><code>${user.id}</code></dd>
</dl>
${acts(visit, user, isBelow)}
${parts}`;
  },
  forms: (services) => ({
    // Its message: the page that creates a user leads here.
    create: { submits: 'POST /users', done: t('The user was created.') },
    disable: { submits: 'POST /users/{id}/disable', done: acted.disable },
    enable: { submits: 'POST /users/{id}/enable', done: acted.enable },
    delete: {
      submits: 'DELETE /users/{id}',
      next: (visit) => panelPath(visit, '/users?done=delete'),
    },
    ...Object.assign({}, ...sectionsOf(services).map(({ forms }) => forms)),
  }),
};

async function readUser(visit: SignedIn): Promise<UserView> {
  return (await read<{ user: UserView }>(visit, 'GET /users/{id}')).user;
}

/** The profile as text: a team may keep anything there. */
function profileOf(visit: SignedIn, { metadata }: UserView): HtmlValue {
  return profileInputs(visit, metadata).map(
    ({ name, label, value }) =>
      typeof metadata[name] === 'string' && html`<dt>${label}</dt><dd>${value}</dd>`,
  );
}

function acts(visit: SignedIn, user: UserView, isBelow: boolean): HtmlValue {
  const data = downloadPath(visit, `/users/${user.id}/export`);
  const mayWrite = isBelow && may(visit, 'users:write');
  const isOwn = user.id === visit.caller.user.id;
  const about = html`${user.email} ${isOwn && badge(t('your own account'), 'bad')}`;
  const toggle = user.isDisabled
    ? actButton(visit, 'enable', t('Enable'))
    : confirmed(visit, t('They are signed out, and can no longer sign in.'), {
        name: 'disable',
        submit: t('Disable'),
        about,
      });
  return html`<div class="acts">
<a class="button" href="${data}">${t('Export their data')}</a>
${mayWrite && toggle}
${mayWrite && confirmed(visit, t('The account and everything that belongs to it are deleted. This cannot be undone.'), { name: 'delete', submit: t('Delete'), about })}
</div>`;
}

const metadataSection: UserSection = {
  permission: 'users:read',
  content: async (visit, { metadata }, isBelow) => {
    const json = JSON.stringify(metadata, undefined, 2);
    const fields = [{ name: 'metadata', label: t('As JSON'), rows: 6, value: json }];
    return html`<h2>${t('Metadata')}</h2>
${
  isBelow && may(visit, 'users:write')
    ? form(visit, { name: 'metadata', fields, submit: t('Save') })
    : html`<pre>${json}</pre>`
}`;
  },
  forms: {
    metadata: {
      submits: 'PUT /users/{id}/metadata',
      input: ({ metadata }) => parsedJson(metadata),
      beside: { VALIDATION_FAILED: 'metadata' },
    },
  },
};
