import { defineFeature } from '../../../feature.js';
import { hasPermission } from '../../../users/account.js';
import type { Figure } from '../../admin-panel/overview.js';
import { read } from '../../admin-panel/panel.js';
import type { SignedIn } from '../../pages/visit.js';
import type { WebhookKind } from '../../webhook-configs/admin-panel/feature.js';
import { deliveryPage } from './delivery.js';
import { endpointPage, newEndpointPage } from './endpoint.js';
import { t } from './texts.js';

const panelWebhookKind: WebhookKind = {
  path: '/webhooks/outgoing',
  label: t('Outgoing'),
  newLabel: t('New outgoing webhook'),
  nameOf: ({ url }) => (typeof url === 'string' ? url : undefined),
};

async function panelFigures(visit: SignedIn): Promise<Figure[]> {
  if (!hasPermission(visit.caller, 'webhooks:read')) return [];
  const { failing } = await read<{ failing: number }>(visit, 'GET /deliveries/failing');
  return [{ label: t('Deliveries failing'), value: failing }];
}

export const webhooksAdminPanel = defineFeature({
  panelWebhookKind,
  panelFigures,
  texts: t.texts,
  panelPages: {
    '/webhooks/outgoing/new': newEndpointPage,
    '/webhooks/outgoing/{id}': endpointPage,
    '/webhooks/deliveries/{id}': deliveryPage,
  },
});
