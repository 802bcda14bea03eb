import { defineFeature } from '../../../feature.js';
import type { Route } from '../../../http/route.js';
import { type PanelEntry, panelPrefix } from '../../admin-panel/panel.js';
import { webhooksPage } from './list.js';
import { errorTexts, texts } from './texts.js';

const panelEntries: PanelEntry[] = [
  {
    path: '/webhooks',
    label: ({ language }) => texts[language].webhooks,
    permission: 'webhooks:read',
  },
];

export const webhookConfigsAdminPanel = defineFeature({
  prefix: panelPrefix,
  panelEntries,
  errorTexts,
  routes: (): Route[] => webhooksPage,
});
