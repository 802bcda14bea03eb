import { defineFeature } from '../../../feature.js';
import { type Html, html, type Text } from '../../../http/html.js';
import { list } from '../../admin-panel/list.js';
import { may, type PanelPage, panelPath } from '../../admin-panel/panel.js';
import { actButton, badge, confirmed, time } from '../../admin-panel/parts.js';
import { t as ofPanel } from '../../admin-panel/texts.js';
import type { Field } from '../../pages/field.js';
import { type TextsOf, translator } from '../../pages/language.js';
import type { Form } from '../../pages/page.js';
import type { SignedIn } from '../../pages/visit.js';
import type { webhookConfigsAdmin } from '../admin/feature.js';

export const t = translator({
  de: {
    ...ofPanel.texts.de,
    Webhooks: 'Webhooks',
    Webhook: 'Webhook',
    Kind: 'Art',
    Events: 'Ereignisse',
    Secret: 'Geheimnis',
    On: 'An',
    Off: 'Aus',
    'URL or provider': 'URL oder Anbieter',
    Create: 'Anlegen',
    'Turn on': 'Einschalten',
    'Turn off': 'Ausschalten',
    'The webhook and everything stored about it are deleted. This cannot be undone.':
      'Der Webhook und alles, was dazu aufgezeichnet ist, werden gelöscht. Das lässt sich nicht rückgängig machen.',
    'The webhook was deleted.': 'Der Webhook ist gelöscht.',
    Duration: 'Dauer',
    WEBHOOK_NOT_FOUND: 'Diesen Webhook gibt es nicht.',
    WEBHOOK_EXISTS: 'Ein anderer Webhook nimmt schon die Aufrufe dieses Anbieters an.',
    SECRET_REQUIRED: 'Ein Webhook, dessen Aktionen etwas ändern, braucht ein Geheimnis.',
    'After whsec_, give the key in base64.': 'Geben Sie nach whsec_ den Schlüssel in Base64 an.',
    'Use names of events, or *.': 'Geben Sie Namen von Ereignissen ein, oder *.',
  },
} satisfies TextsOf<typeof webhookConfigsAdmin>);

/** The fields that the API shows of every webhook. */
export interface WebhookView {
  id: string;
  events: string[];
  /** Null, or a placeholder: no secret is ever shown again. */
  secret: string | null;
  isActive: boolean;
  createdAt: string;
  [field: string]: unknown;
}

export function stateOf({ isActive }: WebhookView): Html {
  return isActive ? badge(t('On'), 'good') : badge(t('Off'));
}

export function eventsField(hint: Text, events = ['*']): Field {
  return { name: 'events', label: t('Events'), hint, value: events.join(' ') };
}

/** The names in a text, separated by blanks, commas or semicolons. */
export function eventsIn({ events = '' }: Record<string, string>): string[] {
  return events.split(/[\s,;]+/).filter((name) => name !== '');
}

/** Turns a webhook on and off, and deletes it. */
export const webhookForms: Record<string, Form> = {
  on: { submits: 'PATCH /webhooks/{id}', input: () => ({ isActive: true }) },
  off: { submits: 'PATCH /webhooks/{id}', input: () => ({ isActive: false }) },
  delete: {
    submits: 'DELETE /webhooks/{id}',
    next: (visit) => panelPath(visit, '/webhooks?done=delete'),
  },
};

export function webhookActs(visit: SignedIn, webhook: WebhookView, mayTurnOn = true): Html {
  const about = String(webhook.url ?? webhook.provider);
  return html`${webhook.isActive && actButton(visit, 'off', t('Turn off'))}
${!webhook.isActive && mayTurnOn && actButton(visit, 'on', t('Turn on'))}
${confirmed(visit, t('The webhook and everything stored about it are deleted. This cannot be undone.'), { name: 'delete', submit: t('Delete'), about })}`;
}

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
  done: t('The webhook was deleted.'),
  content: async (visit) => {
    const kinds = visit.services.features.flatMap((each) => each.panelWebhookKind ?? []);
    const kindOf = (webhook: WebhookView) =>
      kinds.find(({ nameOf }) => nameOf(webhook) !== undefined);
    const links = kinds.map((kind) => {
      const path = panelPath(visit, `${kind.path}/new`);
      return html`<a class="button" href="${path}">${kind.newLabel}</a>`;
    });
    return html`${may(visit, 'webhooks:write') && html`<div class="acts">${links}</div>`}
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
  return html`<a href="${panelPath(visit, `${kind.path}/${webhook.id}`)}">${kind.nameOf(webhook)}</a>`;
}

export const webhookConfigsAdminPanel = defineFeature({
  texts: t.texts,
  panelPages: { '/webhooks': webhooksPage },
});
