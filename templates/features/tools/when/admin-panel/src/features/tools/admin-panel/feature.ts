import { defineFeature } from '../../../feature.js';
import type { WebhookKind } from '../../webhook-configs/admin-panel/feature.js';
import { actionsPage } from './actions.js';
import { inboundPage, newInboundPage } from './inbound.js';
import { errorTexts, texts } from './texts.js';

const panelWebhookKind: WebhookKind = {
  path: '/webhooks/inbound',
  label: texts.inbound,
  newLabel: texts.newInbound,
  nameOf: ({ provider }) => (typeof provider === 'string' ? provider : undefined),
};

export const toolsAdminPanel = defineFeature({
  panelWebhookKind,
  errorTexts,
  settingLabels: { enabledWebhookActions: texts.actions },
  panelPages: [newInboundPage, inboundPage, actionsPage],
});
