import { html } from '../../../http/html.js';
import { hasPermission } from '../../../users/account.js';
import { list } from '../../admin-panel/list.js';
import { type PanelPage, panelPath } from '../../admin-panel/panel.js';
import { badge, outcome, time } from '../../admin-panel/parts.js';
import type { SignedIn } from '../../pages/visit.js';
import { stateOf, type WebhookView } from './form.js';
import { texts } from './texts.js';

/** One kind of webhook in the panel. */
export interface WebhookKind {
  /** Of its pages: one more step is the id of a webhook, or `new`. */
  path: string;
  label(visit: SignedIn): string;
  /** Of the link to make one. */
  newLabel(visit: SignedIn): string;
  /** How people know a webhook; undefined for one of another kind. */
  nameOf(webhook: WebhookView): string | undefined;
}

declare module '../../../feature.js' {
  interface FeatureParts {
    panelWebhookKind?: WebhookKind;
  }
}

/** The webhooks of every kind, the newest first. */
export const webhooksPage: PanelPage = {
  path: '/webhooks',
  permission: 'webhooks:read',
  isEntry: true,
  title: ({ language }) => texts[language].webhooks,
  content: async (visit) => {
    const t = texts[visit.language];
    const kinds = visit.services.features.flatMap((each) => each.panelWebhookKind ?? []);
    const kindOf = (webhook: WebhookView) =>
      kinds.find(({ nameOf }) => nameOf(webhook) !== undefined);
    const links = kinds.map((kind) => {
      const path = panelPath(visit, `${kind.path}/new`);
      return html`<a class="button plain" href="${path}">${kind.newLabel(visit)}</a>`;
    });
    return html`${outcome(visit, { delete: t.deleted })}
${hasPermission(visit.caller, 'webhooks:write') && html`<div class="acts">${links}</div>`}
${await list<'webhooks', WebhookView>(visit, {
  route: 'GET /webhooks',
  of: 'webhooks',
  filters: [{ name: 'filter', label: t.filter, type: 'search' }],
  columns: () => [
    { title: t.webhook, cell: (webhook) => webhookLink(visit, webhook, kindOf(webhook)) },
    { title: t.kind, cell: (webhook) => badge(kindOf(webhook)?.label(visit) ?? '–') },
    { title: t.events, cell: ({ events }) => events.join(', ') },
    { title: t.state, cell: (webhook) => stateOf(visit, webhook) },
    { title: t.created, cell: ({ createdAt }) => time(visit, createdAt) },
  ],
})}`;
  },
};

/** Of a feature that was taken out of the service nothing is known. */
function webhookLink(visit: SignedIn, webhook: WebhookView, kind: WebhookKind | undefined) {
  if (!kind) return webhook.id;
  const path = panelPath(visit, `${kind.path}/${webhook.id}`);
  return html`<a href="${path}">${kind.nameOf(webhook)}</a>`;
}
