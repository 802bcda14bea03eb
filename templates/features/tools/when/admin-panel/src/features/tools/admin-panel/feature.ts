import { defineFeature } from '../../../feature.js';
import type { WebhookKind } from '../../webhook-configs/admin-panel/list.js';
import { actionsPage, toolsStyle } from './actions.js';
import { editorScript, inboundPage, newInboundPage } from './inbound.js';
import { errorTexts, texts } from './texts.js';

const panelWebhookKind: WebhookKind = {
  path: '/webhooks/inbound',
  label: texts.inbound,
  newLabel: texts.newInbound,
  nameOf: ({ provider }) => (typeof provider === 'string' ? provider : undefined),
};

export const toolsAdminPanel = defineFeature({
  assets: [editorScript, toolsStyle],
  panelWebhookKind,
  errorTexts,
  settingLabels: { enabledWebhookActions: texts.actions },
  panelPages: [newInboundPage, inboundPage, actionsPage],
});
