import { defineFeature } from '../../../feature.js';
import type { WebhookKind } from '../../webhook-configs/admin-panel/feature.js';
import { actionsPage } from './actions.js';
import { inboundPage, newInboundPage } from './inbound.js';
import { t, texts } from './texts.js';

const panelWebhookKind: WebhookKind = {
  path: '/webhooks/inbound',
  label: t('Inbound'),
  newLabel: t('New inbound webhook'),
  nameOf: ({ provider }) => (typeof provider === 'string' ? provider : undefined),
};

export const toolsAdminPanel = defineFeature({
  panelWebhookKind,
  texts,
  panelPages: [newInboundPage, inboundPage, actionsPage],
});
