import { defineFeature } from '../../../feature.js';
import { html } from '../../../http/html.js';
import { hasPermission } from '../../../users/account.js';
import { list } from '../../admin-panel/list.js';
import { type PanelPage, panelPath } from '../../admin-panel/panel.js';
import { badge, time } from '../../admin-panel/parts.js';
import type { Text } from '../../pages/texts.js';
import type { SignedIn } from '../../pages/visit.js';
import { stateOf, type WebhookView } from './form.js';
import { t } from './texts.js';

/** One kind of webhook in the panel. */
export interface WebhookKind {
  /** The path of its pages, without the last step: the id of a webhook, or `new`. */
  path: string;
  label: Text;
  /** The label of the link to create one. */
  newLabel: Text;
  /** The name that people know a webhook by; undefined for one of another kind. */
  nameOf(webhook: WebhookView): string | undefined;
}

declare module '../../../feature.js' {
  interface FeatureParts {
    panelWebhookKind?: WebhookKind;
  }
}

/** The webhooks of every kind, the newest first. */
const webhooksPage: PanelPage = {
  permission: 'webhooks:read',
  isEntry: true,
  title: () => t('Webhooks'),
  done: t('The webhook is deleted.'),
  content: async (visit) => {
    const kinds = visit.services.features.flatMap((each) => each.panelWebhookKind ?? []);
    const kindOf = (webhook: WebhookView) =>
      kinds.find(({ nameOf }) => nameOf(webhook) !== undefined);
    const links = kinds.map((kind) => {
      const path = panelPath(visit, `${kind.path}/new`);
      return html`<a class="button" href="${path}">${kind.newLabel}</a>`;
    });
    return html`${hasPermission(visit.caller, 'webhooks:write') && html`<div class="acts">${links}</div>`}
${await list<WebhookView>(visit, {
  route: 'GET /webhooks',
  filters: [{ name: 'filter', label: t('URL or provider'), type: 'search' }],
  columns: () => [
    [t('Webhook'), (webhook) => webhookLink(visit, webhook, kindOf(webhook))],
    [t('Kind'), (webhook) => badge(kindOf(webhook)?.label ?? '–')],
    [t('Events'), ({ events }) => events.join(', ')],
    [t('State'), (webhook) => stateOf(webhook)],
    [t('Created'), ({ createdAt }) => time(visit, createdAt)],
  ],
})}`;
  },
};

/** Only the id, without a link, for a webhook of a feature that was removed from the service. */
function webhookLink(visit: SignedIn, webhook: WebhookView, kind: WebhookKind | undefined) {
  if (!kind) return webhook.id;
  const path = panelPath(visit, `${kind.path}/${webhook.id}`);
  return html`<a href="${path}">${kind.nameOf(webhook)}</a>`;
}

export const webhookConfigsAdminPanel = defineFeature({
  texts: t.texts,
  panelPages: { '/webhooks': webhooksPage },
});
