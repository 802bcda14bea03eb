import { type Html, html } from '../../../http/html.js';
import { panelPath } from '../../admin-panel/panel.js';
import { actButton, badge, confirmed } from '../../admin-panel/parts.js';
import type { Field } from '../../pages/form.js';
import type { Text } from '../../pages/language.js';
import type { Form } from '../../pages/page.js';
import type { SignedIn } from '../../pages/visit.js';
import { texts } from './texts.js';

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
  return isActive ? badge(texts.on, 'good') : badge(texts.off);
}

export function eventsField(hint: Text, events = ['*']): Field {
  return { name: 'events', label: texts.events, hint, value: events.join(' ') };
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

export function webhookActs(visit: SignedIn, { isActive }: WebhookView, mayTurnOn = true): Html {
  return html`${isActive && actButton(visit, 'off', texts.turnOff)}
${!isActive && mayTurnOn && actButton(visit, 'on', texts.turnOn)}
${confirmed(visit, texts.deleteText, { name: 'delete', submit: texts.delete })}`;
}
