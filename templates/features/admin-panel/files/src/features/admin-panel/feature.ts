import { defineFeature } from '../../feature.js';
import { auditPage } from './audit.js';
import { administrationPage, overviewPage } from './overview.js';
import { panelPrefix, panelRoutes } from './panel.js';
import { rolePage, rolesPage } from './roles.js';
import { sessionsPage } from './sessions.js';
import { settingsPage } from './settings.js';
import { t } from './texts.js';
import { userPage } from './user.js';
import { newUserPage, usersPage } from './users.js';

export const adminPanel = defineFeature({
  prefix: panelPrefix,
  pagePrefix: panelPrefix,
  texts: t.texts,
  startLinks: (config) => [[panelPrefix(config), t('Administration')]],
  accountPages: { '/ui/account/administration': administrationPage },
  panelPages: {
    '': overviewPage,
    '/users': usersPage,
    '/users/new': newUserPage,
    '/users/{id}': userPage,
    '/sessions': sessionsPage,
    '/roles': rolesPage,
    '/roles/{name}': rolePage,
    '/settings': settingsPage,
    '/audit': auditPage,
  },
  routes: panelRoutes,
});
