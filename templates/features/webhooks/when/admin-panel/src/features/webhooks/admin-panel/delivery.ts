import { type Html, html } from '../../../http/html.js';
import { hasPermission } from '../../../users/account.js';
import { list, table } from '../../admin-panel/list.js';
import { type PanelPage, panelPath, read } from '../../admin-panel/panel.js';
import { actButton, badge, time } from '../../admin-panel/parts.js';
import type { SignedIn } from '../../pages/visit.js';
import type { Delivery, DeliveryView } from '../admin/feature.js';
import { texts } from './texts.js';

function stateBadge({ state }: DeliveryView): Html {
  const look = state === 'delivered' ? 'good' : 'bad';
  return badge(texts[state], state === 'waiting' ? 'plain' : look);
}

/** The deliveries of the webhook in the path, the newest first. */
export async function deliveries(visit: SignedIn): Promise<Html> {
  return html`<h2>${texts.deliveries}</h2>
${await list<'deliveries', DeliveryView>(visit, {
  route: 'GET /webhooks/{id}/deliveries',
  of: 'deliveries',
  filters: [{ name: 'filter', label: texts.event, type: 'search' }],
  columns: () => [
    {
      title: texts.event,
      cell: ({ id, event }) =>
        html`<a href="${panelPath(visit, `/webhooks/deliveries/${id}`)}">${event}</a>`,
    },
    { title: texts.state, cell: (delivery) => stateBadge(delivery) },
    { title: texts.attempts, cell: ({ attemptCount }) => attemptCount },
    { title: texts.nextAt, cell: ({ nextAt }) => nextAt !== null && time(visit, nextAt) },
    { title: texts.time, cell: ({ createdAt }) => time(visit, createdAt) },
  ],
})}`;
}

/** One delivery: what was sent, and the response to each attempt. */
export const deliveryPage: PanelPage = {
  path: '/webhooks/deliveries/{id}',
  permission: 'webhooks:read',
  title: () => texts.delivery,
  content: async (visit) => {
    const { delivery } = await read<{ delivery: Delivery }>(visit, 'GET /deliveries/{id}');
    const webhook = panelPath(visit, `/webhooks/outgoing/${delivery.webhookId}`);
    return html`<p><a href="${webhook}">${texts.goOn}</a></p>
<dl>
<dt>${texts.event}</dt><dd>${delivery.event}</dd>
<dt>${texts.state}</dt><dd>${stateBadge(delivery)}</dd>
<dt>${texts.time}</dt><dd>${time(visit, delivery.createdAt)}</dd>
${delivery.nextAt !== null && html`<dt>${texts.nextAt}</dt><dd>${time(visit, delivery.nextAt)}</dd>`}
</dl>
${hasPermission(visit.caller, 'webhooks:write') && html`<div class="acts">${actButton(visit, 'replay', texts.replay)}</div>`}
<h2>${texts.attempts}</h2>
${table(delivery.attempts, [
  { title: texts.time, cell: ({ startedAt }) => time(visit, startedAt) },
  { title: texts.status, cell: ({ status, error }) => status ?? error ?? '' },
  { title: texts.duration, cell: ({ durationMs }) => `${durationMs} ms` },
  {
    title: texts.answer,
    cell: ({ response }) => response !== null && html`<pre>${response}</pre>`,
  },
])}
<h2>${texts.body}</h2>
<pre>${JSON.stringify(delivery.body, undefined, 2)}</pre>`;
  },
  forms: {
    replay: { submits: 'POST /deliveries/{id}/replay', done: texts.replayed },
  },
};
