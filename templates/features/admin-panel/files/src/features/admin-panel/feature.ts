import type { Config } from '../../config.js';
import { defineFeature } from '../../feature.js';
import type { Text } from '../pages/language.js';
import { auditPage } from './audit.js';
import { overviewPage } from './overview.js';
import { panelPrefix, panelRoutes } from './panel.js';
import { rolePage, rolesPage } from './roles.js';
import { sessionsPage } from './sessions.js';
import { settingsPage } from './settings.js';
import { errorTexts, panelTexts } from './texts.js';
import { userPage } from './user.js';
import { newUserPage, usersPage } from './users.js';

const startLinks = (config: Config): [string, Text][] => [
  [panelPrefix(config), panelTexts.administration],
];

export const adminPanel = defineFeature({
  prefix: panelPrefix,
  pagePrefix: panelPrefix,
  errorTexts,
  startLinks,
  panelPages: [
    overviewPage,
    usersPage,
    newUserPage,
    userPage,
    sessionsPage,
    rolesPage,
    rolePage,
    settingsPage,
    auditPage,
  ],
  routes: panelRoutes,
});
