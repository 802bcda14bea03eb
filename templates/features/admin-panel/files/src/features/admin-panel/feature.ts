import type { Config } from '../../config.js';
import { defineFeature } from '../../feature.js';
import type { Route } from '../../http/route.js';
import type { Services } from '../../services.js';
import type { Language } from '../pages/language.js';
import { auditPage, auditSection } from './audit.js';
import { newUserPage } from './new-user.js';
import { overviewPage } from './overview.js';
import { type PanelEntry, panelPrefix, panelStyle } from './panel.js';
import { rolePage, rolesPage, rolesSection } from './roles.js';
import { errorTexts } from './service-texts.js';
import { sessionsPage, sessionsSection } from './sessions.js';
import { settingsPage } from './settings.js';
import { panelTexts } from './texts.js';
import { metadataSection, userPage } from './user.js';
import { usersPage } from './users.js';

const entry = (
  path: string,
  permission: string,
  title: keyof (typeof panelTexts)['en'],
): PanelEntry => ({ path, permission, label: ({ language }) => panelTexts[language][title] });

const panelEntries = [
  entry('', 'admin:access', 'overview'),
  entry('/users', 'users:read', 'users'),
  entry('/sessions', 'sessions:read', 'sessions'),
  entry('/roles', 'roles:read', 'roles'),
  entry('/settings', 'settings:read', 'settings'),
  entry('/audit', 'audit:read', 'audit'),
];

const startLinks = (config: Config, language: Language): [string, string][] => [
  [panelPrefix(config), panelTexts[language].administration],
];

export const adminPanel = defineFeature({
  prefix: panelPrefix,
  pagePrefix: panelPrefix,
  assets: [panelStyle],
  errorTexts,
  panelEntries,
  startLinks,
  routes: (services: Services): Route[] => {
    const others = services.features.flatMap(({ panelUserSection }) => panelUserSection ?? []);
    const sections = [metadataSection, rolesSection, ...others, sessionsSection, auditSection];
    const ofUsers = [...usersPage, ...newUserPage, ...userPage(sections), ...sessionsPage];
    const ofService = [...rolesPage, ...rolePage, ...settingsPage, ...auditPage];
    return [...overviewPage, ...ofUsers, ...ofService];
  },
});
