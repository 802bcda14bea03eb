import type { UserView } from '../admin/users.js';
import type { Field } from '../pages/form.js';
import { type PanelPage, panelPath } from './panel.js';
import { partForm } from './parts.js';
import { panelTexts } from './texts.js';

/** An account for somebody else, who then chooses how to sign in. */
export const newUserPage: PanelPage = {
  path: '/users/new',
  permission: 'users:write',
  title: () => panelTexts.newUser,
  content: (visit) => {
    const fields: Field[] = [
      { name: 'email', label: panelTexts.email, inputmode: 'email' },
      { name: 'role', label: panelTexts.roleOptional, isOptional: true },
    ];
    return partForm(visit, { name: 'create', fields, submit: panelTexts.newUser });
  },
  forms: {
    create: {
      submits: 'POST /users',
      input: (_visit, { role }) => ({ role: role || undefined }),
      beside: { USER_EXISTS: 'email', ROLE_NOT_FOUND: 'role' },
      next: (visit, { body }) => {
        const { user } = body as { user: UserView };
        return panelPath(visit, `/users/${user.id}`);
      },
    },
  },
};
