import { type Html, html } from '../../../http/html.js';
import { panelPath } from '../../admin-panel/panel.js';
import { actButton, badge, confirmed } from '../../admin-panel/parts.js';
import type { Field } from '../../pages/form.js';
import type { Form } from '../../pages/page.js';
import type { Text } from '../../pages/texts.js';
import type { SignedIn } from '../../pages/visit.js';
import { t } from './texts.js';

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
