import { type Html, html } from '../../../http/html.js';
import { list, table } from '../../admin-panel/list.js';
import { may, type PanelPage, panelPath, read } from '../../admin-panel/panel.js';
import { actButton, badge, time } from '../../admin-panel/parts.js';
import { inLanguageOf } from '../../pages/refusal.js';
import type { SignedIn } from '../../pages/visit.js';
import type { Delivery, DeliveryView } from '../admin/feature.js';
import { t } from './texts.js';

const STATES = {
  waiting: t('Waiting'),
  retrying: t('Retrying'),
  delivered: t('Delivered'),
  exhausted: t('Given up'),
  failed: t('Permanently refused'),
};

function stateBadge({ state }: DeliveryView): Html {
  const look = state === 'delivered' ? 'good' : 'bad';
  return badge(STATES[state], state === 'waiting' ? 'plain' : look);
}

/** The deliveries of the webhook in the path, the newest first. */
export async function deliveries(visit: SignedIn): Promise<Html> {
  const link = ({ id, event }: DeliveryView) =>
    html`<a href="${panelPath(visit, `/webhooks/deliveries/${id}`)}">${event}</a>`;
  return html`<h2>${t('Deliveries')}</h2>
${await list<DeliveryView>(visit, {
  route: 'GET /webhooks/{id}/deliveries',
  filters: [{ name: 'filter', label: t('Event'), type: 'search' }],
  columns: () => [
    [t('Event'), link],
    [t('State'), (delivery) => stateBadge(delivery)],
    [t('Attempts'), ({ attemptCount }) => attemptCount],
    [t('Next attempt'), ({ nextAt }) => nextAt !== null && time(visit, nextAt)],
    [t('Time'), ({ createdAt }) => time(visit, createdAt)],
  ],
})}`;
}

/** One delivery: what was sent, and the response to each attempt. */
export const deliveryPage: PanelPage = {
  permission: 'webhooks:read',
  title: () => t('Delivery'),
  content: async (visit) => {
    const { delivery } = await read<{ delivery: Delivery }>(visit, 'GET /deliveries/{id}');
    return html`<p><a href="${panelPath(visit, `/webhooks/outgoing/${delivery.webhookId}`)}">${t('Back to the webhook')}</a></p>
<dl>
<dt>${t('Event')}</dt><dd>${delivery.event}</dd>
<dt>${t('State')}</dt><dd>${stateBadge(delivery)}</dd>
<dt>${t('Time')}</dt><dd>${time(visit, delivery.createdAt)}</dd>
${delivery.nextAt !== null && html`<dt>${t('Next attempt')}</dt><dd>${time(visit, delivery.nextAt)}</dd>`}
</dl>
${may(visit, 'webhooks:write') && html`<div class="acts">${actButton(visit, 'replay', t('Send again'))}</div>`}
<h2>${t('Attempts')}</h2>
${table(delivery.attempts, [
  [t('Time'), ({ startedAt }) => time(visit, startedAt)],
  [t('Status'), ({ status, error }) => status ?? inLanguageOf(visit, error ?? '')],
  [t('Duration'), ({ durationMs }) => `${durationMs} ms`],
  [t('Response'), ({ response }) => response !== null && html`<pre>${response}</pre>`],
])}
<h2>${t('Body')}</h2>
<pre>${JSON.stringify(delivery.body, undefined, 2)}</pre>`;
  },
  forms: {
    replay: { submits: 'POST /deliveries/{id}/replay', done: t('It is being sent again.') },
  },
};
