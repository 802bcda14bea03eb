import { refuse } from '../../http/errors.js';
import { type Html, html } from '../../http/html.js';
import { holdsAll } from '../admin/privilege.js';
import type { Field } from '../pages/field.js';
import { form } from '../pages/form.js';
import type { SignedIn } from '../pages/visit.js';
import { isProtected, type Role } from '../roles/feature.js';
import { list, table } from './list.js';
import { may, type PanelPage, panelPath } from './panel.js';
import { badge, checkbox, confirmed, merged, tickedOf } from './parts.js';
import { t } from './texts.js';
import type { UserSection } from './user.js';

/** The roles, what each allows, and a form to add one. */
export const rolesPage: PanelPage = {
  permission: 'roles:read',
  isEntry: true,
  title: () => t('Roles'),
  done: t('The role was deleted.'),
  content: async (visit) => {
    const name: Field = {
      name: 'name',
      label: t('Name'),
      hint: t('Lower-case letters, digits and hyphens.'),
    };
    const fields = [name, ...permissionFields(visit, 'create')];
    return html`${await list<Role>(visit, {
      route: 'GET /roles',
      filters: [{ name: 'filter', label: t('Name'), type: 'search' }],
      columns: () => [
        [t('Role'), (role) => roleLink(visit, role)],
        [t('Permissions'), ({ permissions }) => permissions.map((each) => html`${badge(each)} `)],
      ],
    })}
${
  may(visit, 'roles:write') &&
  html`<h2>${t('Create a role')}</h2>${form(visit, { name: 'create', fields, submit: t('Create a role') })}`
}`;
  },
  forms: {
    create: {
      submits: 'POST /roles',
      input: permissionsIn,
      beside: { ROLE_EXISTS: 'name' },
      done: t('The role was created.'),
    },
  },
};

function roleLink(visit: SignedIn, role: Role) {
  if (!mayChange(visit, role)) return role.name;
  return html`<a href="${panelPath(visit, `/roles/${role.name}`)}">${role.name}</a>`;
}

/** One role: its permissions as checkboxes, and a form to delete it. */
export const rolePage: PanelPage = {
  permission: 'roles:read',
  title: ({ params }) => params.name ?? '',
  content: async (visit) => {
    const role = await visit.services.roles.find(visit.params.name ?? '');
    if (!role) throw refuse('NOT_FOUND');
    if (isProtected(role.name)) throw refuse('ROLE_PROTECTED');
    if (!mayChange(visit, role)) throw refuse('FORBIDDEN');
    const fields = permissionFields(visit, 'permissions', role.permissions);
    const before = visit.refusal?.typed.before ?? role.permissions.join(' ');
    return html`${form(visit, { name: 'permissions', fields, submit: t('Save'), hidden: { before } })}
<h2>${t('Delete')}</h2>
${confirmed(visit, t('Everybody who holds the role loses its permissions. This cannot be undone.'), { name: 'delete', submit: t('Delete this role'), about: role.name })}`;
  },
  forms: {
    permissions: {
      submits: 'PUT /roles/{name}',
      input: async (fields, { services, params }) => {
        const { permissions: current = [] } = (await services.roles.find(params.name ?? '')) ?? {};
        return { permissions: merged(current, permissionsIn(fields).permissions, fields.before) };
      },
    },
    delete: {
      submits: 'DELETE /roles/{name}',
      next: (visit) => panelPath(visit, '/roles?done=delete'),
    },
  },
};

/** The same rule as in the API: nobody may change a role that allows more than they may do. */
function mayChange({ caller }: SignedIn, { name, permissions }: Role): boolean {
  return !isProtected(name) && holdsAll(caller, [...permissions, 'roles:write']);
}

/** The roles that the caller may give and take: none that allows more than they may do. */
export async function rolesWithinOwn({ services, caller }: SignedIn): Promise<string[]> {
  const roles = await services.roles.list();
  return roles.flatMap(({ name, permissions }) => (holdsAll(caller, permissions) ? [name] : []));
}

/** Checkboxes for the permissions that routes of this service require and the caller has; any others as text. */
function permissionFields(visit: SignedIn, name: string, current: string[] = []): (Field | Html)[] {
  const routes = visit.services.resources.flatMap((resource) => resource.routes);
  const declared = [...new Set(routes.flatMap(({ permission }) => permission ?? []))].sort();
  const offered = declared.filter((permission) => may(visit, permission));
  const others = current.filter((permission) => !offered.includes(permission));
  const boxes = offered.map((label) => {
    const isChecked = current.includes(label);
    const box = checkbox(visit, name, { name: `permission ${label}`, label, isChecked });
    return html`<label class="tick">${box} ${label}</label>`;
  });
  return [
    html`<fieldset><legend>${t('Permissions')}</legend>${boxes}</fieldset>`,
    {
      name: 'permissions',
      label: t('Other permissions (optional)'),
      hint: t('For your own routes, as resource:action, separated by spaces.'),
      value: others.join(' '),
      isOptional: true,
    },
  ];
}

function permissionsIn({ name, ...fields }: Record<string, string>) {
  const others = (fields.permissions ?? '').split(/[\s,]+/).filter(Boolean);
  return { name, permissions: [...tickedOf('permission', fields), ...others] };
}

export const rolesSection: UserSection = {
  permission: 'roles:read',
  content: async (visit, user, isBelow) => {
    const mayWrite = isBelow && may(visit, 'roles:write');
    const known = await rolesWithinOwn(visit);
    const others = known.filter((name) => !user.roles.includes(name));
    const choices = Object.fromEntries(others.map((name) => [name, name]));
    const fields = [{ name: 'role', label: t('Role'), choices }];
    const takeButton = (name: string) =>
      known.includes(name) &&
      confirmed(visit, t('They lose its permissions immediately.'), {
        name: 'take-role',
        submit: t('Revoke'),
        hidden: { name },
        about: `${name}, ${user.email}`,
      });
    return html`<h2>${t('Roles')}</h2>
${table(user.roles, [[t('Role'), (name) => name], mayWrite && [t('Action'), takeButton]])}
${mayWrite && others.length > 0 && confirmed(visit, t('They get its permissions immediately.'), { name: 'give-role', fields, submit: t('Assign a role'), look: 'primary', about: user.email })}`;
  },
  forms: {
    'give-role': { submits: 'POST /users/{id}/roles' },
    'take-role': { submits: 'DELETE /users/{id}/roles/{name}' },
  },
};
