import type { FeatureParts } from '../../../feature.js';
import { hasPermission } from '../../../users/account.js';
import { read } from '../../admin-panel/panel.js';
import { deliveryPage } from './delivery.js';
import { endpointPage, newEndpointPage } from './endpoint.js';
import { t } from './texts.js';

export const webhooksAdminPanel: FeatureParts = {
  texts: t.texts,
  panelWebhookKind: {
    path: '/webhooks/outgoing',
    label: t('Outgoing'),
    newLabel: t('New outgoing webhook'),
    nameOf: ({ url }) => (typeof url === 'string' ? url : undefined),
  },
  panelFigures: async (visit) => {
    if (!hasPermission(visit.caller, 'webhooks:read')) return [];
    const { failing } = await read<{ failing: number }>(visit, 'GET /deliveries/failing');
    return [{ label: t('Deliveries failing'), value: failing }];
  },
  panelPages: {
    '/webhooks/outgoing/new': newEndpointPage,
    '/webhooks/outgoing/{id}': endpointPage,
    '/webhooks/deliveries/{id}': deliveryPage,
  },
};
