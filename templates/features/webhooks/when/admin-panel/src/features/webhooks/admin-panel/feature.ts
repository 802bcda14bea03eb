import type { FeatureParts } from '../../../feature.js';
import { html } from '../../../http/html.js';
import { may, panelPath, read } from '../../admin-panel/panel.js';
import type { Failing } from '../admin/feature.js';
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
    if (!may(visit, 'webhooks:read')) return [];
    const { failing, webhooks } = await read<Failing>(visit, 'GET /deliveries/failing');
    const details = webhooks.map(
      ({ id, url, failing }) =>
        html`<p class="aside" title="${url ?? id}"><a href="${panelPath(visit, `/webhooks/outgoing/${id}`)}">${url ?? id}</a> ${failing}</p>`,
    );
    return [{ label: t('Deliveries failing'), value: failing, details }];
  },
  panelPages: {
    '/webhooks/outgoing/new': newEndpointPage,
    '/webhooks/outgoing/{id}': endpointPage,
    '/webhooks/deliveries/{id}': deliveryPage,
  },
};
