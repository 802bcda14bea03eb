import { type Html, html } from '../../../http/html.js';
import { hasPermission } from '../../../users/account.js';
import { list, table } from '../../admin-panel/list.js';
import { type PanelPage, panelPath, read } from '../../admin-panel/panel.js';
import { actButton, badge, outcome, time } from '../../admin-panel/parts.js';
import type { SignedIn } from '../../pages/visit.js';
import type { Delivery, DeliveryView } from '../admin/feature.js';
import { texts } from './texts.js';

function stateBadge({ language }: SignedIn, { state }: DeliveryView): Html {
  const look = state === 'delivered' ? 'good' : 'bad';
  return badge(texts[language][state], state === 'waiting' ? 'plain' : look);
}

/** What the webhook of the path was sent, the newest first. */
export async function deliveries(visit: SignedIn): Promise<Html> {
  const t = texts[visit.language];
  return html`<h2>${t.deliveries}</h2>
${await list<'deliveries', DeliveryView>(visit, {
  route: 'GET /webhooks/{id}/deliveries',
  of: 'deliveries',
  filters: [{ name: 'filter', label: t.event, type: 'search' }],
  columns: () => [
    {
      title: t.event,
      cell: ({ id, event }) =>
        html`<a href="${panelPath(visit, `/webhooks/deliveries/${id}`)}">${event}</a>`,
    },
    { title: t.state, cell: (delivery) => stateBadge(visit, delivery) },
    { title: t.attempts, cell: ({ attemptCount }) => attemptCount },
    { title: t.nextAt, cell: ({ nextAt }) => nextAt !== null && time(visit, nextAt) },
    { title: t.time, cell: ({ createdAt }) => time(visit, createdAt) },
  ],
})}`;
}

/** One delivery: what was sent, and what was answered to each attempt. */
export const deliveryPage: PanelPage = {
  path: '/webhooks/deliveries/{id}',
  permission: 'webhooks:read',
  title: ({ language }) => texts[language].delivery,
  content: async (visit) => {
    const t = texts[visit.language];
    const { delivery } = await read<{ delivery: Delivery }>(visit, 'GET /deliveries/{id}');
    const webhook = panelPath(visit, `/webhooks/outgoing/${delivery.webhookId}`);
    return html`${outcome(visit, { replay: t.replayed })}
<p><a href="${webhook}">${t.goOn}</a></p>
<dl>
<dt>${t.event}</dt><dd>${delivery.event}</dd>
<dt>${t.state}</dt><dd>${stateBadge(visit, delivery)}</dd>
<dt>${t.time}</dt><dd>${time(visit, delivery.createdAt)}</dd>
${delivery.nextAt !== null && html`<dt>${t.nextAt}</dt><dd>${time(visit, delivery.nextAt)}</dd>`}
</dl>
${hasPermission(visit.caller, 'webhooks:write') && html`<div class="acts">${actButton(visit, 'replay', t.replay)}</div>`}
<h2>${t.attempts}</h2>
${table(visit, delivery.attempts, [
  { title: t.time, cell: ({ startedAt }) => time(visit, startedAt) },
  { title: t.status, cell: ({ status, error }) => status ?? error ?? '' },
  { title: t.duration, cell: ({ durationMs }) => `${durationMs} ms` },
  { title: t.answer, cell: ({ response }) => response !== null && html`<pre>${response}</pre>` },
])}
<h2>${t.body}</h2>
<pre>${JSON.stringify(delivery.body, undefined, 2)}</pre>`;
  },
  forms: {
    replay: { submits: 'POST /deliveries/{id}/replay' },
  },
};
