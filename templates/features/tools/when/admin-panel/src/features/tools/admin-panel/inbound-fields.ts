import { type Html, html } from '../../../http/html.js';
import { may, read } from '../../admin-panel/panel.js';
import { badge, checkbox, tickedOf } from '../../admin-panel/parts.js';
import type { Field } from '../../pages/field.js';
import type { SignedIn } from '../../pages/visit.js';
import {
  eventsField,
  eventsIn,
  type WebhookView,
} from '../../webhook-configs/admin-panel/feature.js';
import { SIGNATURE_KINDS, type SignatureKind } from '../../webhook-configs/store.js';
import type { ActionView } from '../admin/feature.js';
import { mayAllow } from '../run-webhook.js';
import { ACTION, aboutAction, actionBox } from './actions.js';
import { t } from './texts.js';

/** As the API shows it. */
export interface Inbound extends WebhookView {
  provider: string;
  signature: SignatureKind;
  allowedActions: string[];
  jsScript: string;
}

/** The kinds by the names that people know. */
export const SIGNATURES: Record<SignatureKind, string> = {
  service: 'X-Webhook-Signature',
  'standard-webhooks': 'Standard Webhooks',
  github: 'GitHub',
  stripe: 'Stripe',
  slack: 'Slack',
};

/** The fields of an inbound webhook, for the form of that name. */
export async function inboundFields(visit: SignedIn, name: string, inbound?: Inbound) {
  const hasSecret = typeof inbound?.secret === 'string';
  const fields: (Field | Html)[] = [
    {
      name: 'provider',
      label: t('Provider'),
      hint: t('The last part of the URL that the provider calls: letters, digits, _ . and -.'),
      value: inbound?.provider,
    },
    eventsField(t('What the script may emit, separated by spaces; * for all.'), inbound?.events),
    {
      name: 'signature',
      label: t('How calls are signed'),
      choices: SIGNATURES,
      value: inbound?.signature ?? SIGNATURE_KINDS[0],
    },
    {
      name: 'secret',
      label: hasSecret ? t('Secret') : t('Secret (optional)'),
      type: 'password',
      hint: hasSecret
        ? t('A secret is set. Leave this empty to keep it.')
        : t('At least 8 characters. Calls without its signature are refused.'),
      isOptional: true,
      autocomplete: 'new-password',
    },
  ];
  if (hasSecret) {
    const label = t('Accept calls without a signature');
    const box = checkbox(visit, name, { name: 'unsigned', label, isChecked: false });
    fields.push(html`<label class="tick">${box} ${label}</label>`);
  }
  fields.push(await checklist(visit, name, inbound), {
    name: 'jsScript',
    label: t('Script'),
    hint: t(
      'The body of an async function that gets body and actions. Set result to { event, data } to emit an event. Escape, then Tab, leaves the field.',
    ),
    rows: 16,
    value: inbound?.jsScript ?? '',
    isOptional: true,
  });
  return fields;
}

/** Actions that are on and that the caller may allow, and those that the webhook already has. */
async function checklist(visit: SignedIn, form: string, inbound?: Inbound): Promise<Html> {
  const mayRead = may(visit, 'settings:read');
  const { actions: all } = mayRead
    ? await read<{ actions: ActionView[] }>(visit, 'GET /actions')
    : { actions: [] };
  const allowed = inbound?.allowedActions ?? [];
  const on = all.filter(({ id, enabled }) => enabled && mayAllow(visit.caller, [id]));
  const ids = new Set([...on.map(({ id }) => id), ...allowed]);
  const rows = [...ids].map((id) => {
    const action = all.find((each) => each.id === id);
    return html`<label class="tick">${actionBox(visit, form, id, allowed.includes(id))}
<span>${action ? aboutAction(action) : id}${action?.enabled === false && badge(t('off'), 'bad')}</span></label>`;
  });
  return html`<fieldset class="checklist"><legend>${t('Actions that the script may call')}</legend>
${rows.length > 0 ? rows : html`<p class="aside">${t('No action that you may allow is turned on.')}</p>`}</fieldset>`;
}

/** The body made from those fields. */
export function inboundBody({ secret, jsScript = '', ...fields }: Record<string, string>) {
  const { provider, signature } = fields;
  return {
    provider,
    signature,
    events: eventsIn(fields),
    allowedActions: tickedOf(ACTION, fields),
    // Browsers send line breaks as CRLF.
    jsScript: jsScript.replaceAll('\r\n', '\n'),
    secret: 'unsigned' in fields ? null : secret || undefined,
  };
}
