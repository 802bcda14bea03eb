import { defineFeature } from '../../../feature.js';
import type { Route } from '../../../http/route.js';
import { type PanelEntry, panelPrefix } from '../../admin-panel/panel.js';
import type { WebhookKind } from '../../webhook-configs/admin-panel/list.js';
import { actionsPage, toolsStyle } from './actions.js';
import { editorScript, inboundPage, newInboundPage } from './inbound.js';
import { errorTexts, texts } from './texts.js';

const panelEntries: PanelEntry[] = [
  {
    path: '/actions',
    label: ({ language }) => texts[language].actions,
    permission: 'settings:read',
  },
];

const panelWebhookKind: WebhookKind = {
  path: '/webhooks/inbound',
  label: ({ language }) => texts[language].inbound,
  newLabel: ({ language }) => texts[language].newInbound,
  nameOf: ({ provider }) => (typeof provider === 'string' ? provider : undefined),
};

export const toolsAdminPanel = defineFeature({
  prefix: panelPrefix,
  assets: [editorScript, toolsStyle],
  panelEntries,
  panelWebhookKind,
  errorTexts,
  settingLabels: {
    en: { enabledWebhookActions: texts.en.actions },
    de: { enabledWebhookActions: texts.de.actions },
  },
  routes: (): Route[] => [...newInboundPage, ...inboundPage, ...actionsPage],
});
