import { type Html, type HtmlValue, html } from '../../../http/html.js';
import { may, type PanelPage, panelPath, read } from '../../admin-panel/panel.js';
import { actButton, confirmed, time } from '../../admin-panel/parts.js';
import { carry } from '../../pages/carried.js';
import { type Field, scriptButton } from '../../pages/field.js';
import { form } from '../../pages/form.js';
import type { SignedIn } from '../../pages/visit.js';
import {
  eventsField,
  eventsIn,
  stateOf,
  type WebhookView,
  webhookActs,
  webhookForms,
} from '../../webhook-configs/admin-panel/feature.js';
import { deliveries } from './delivery.js';
import { t } from './texts.js';

/** As the API shows it. */
interface Endpoint extends WebhookView {
  url: string;
  maxRetries: number;
  retryDelayMs: number;
}

function endpointFields(visit: SignedIn, endpoint?: Endpoint): (Field | Html)[] {
  const { maxRetries = 3, retryDelayMs = 1_000 } = endpoint ?? {};
  const { WEBHOOK_ALLOW_PRIVATE: anywhere } = visit.services.config;
  const names = visit.services.features.flatMap(({ events = {} }) => Object.keys(events)).sort();
  return [
    {
      name: 'url',
      label: t('URL'),
      type: 'url',
      hint: anywhere ? t('http or https.') : t('http or https, not in a private network.'),
      value: endpoint?.url,
    },
    eventsField(t('Names separated by spaces; * for all.'), endpoint?.events),
    html`<details><summary>${t('Events of this service')}</summary>
<ul>${names.map((name) => html`<li><code>${name}</code></li>`)}</ul></details>`,
    { name: 'maxRetries', label: t('Retries'), inputmode: 'numeric', value: `${maxRetries}` },
    {
      name: 'retryDelayMs',
      label: t('Delay before the first retry, in ms'),
      hint: t('It doubles with each further retry.'),
      inputmode: 'numeric',
      value: `${retryDelayMs}`,
    },
  ];
}

function endpointBody({ url, maxRetries, retryDelayMs, ...fields }: Record<string, string>) {
  const numbers = { maxRetries: Number(maxRetries), retryDelayMs: Number(retryDelayMs) };
  return { url, events: eventsIn(fields), ...numbers };
}

export const newEndpointPage: PanelPage = {
  permission: 'webhooks:write',
  title: () => t('New outgoing webhook'),
  content: (visit) =>
    form(visit, { name: 'create', fields: endpointFields(visit), submit: t('Create') }),
  forms: {
    create: {
      submits: 'POST /webhooks',
      input: endpointBody,
      next: (visit, { body }) => {
        const { webhook } = body as { webhook: { id: string; secret: string } };
        return showOnce(visit, webhook.id, webhook.secret);
      },
    },
  },
};

/** Leaves a new secret, for this session, to the page of its webhook: a reload there does not replace it again. */
function showOnce(visit: SignedIn, id: string, secret: string): string {
  const { services, caller, cookies } = visit;
  const path = panelPath(visit, `/webhooks/outgoing/${id}`);
  cookies.push(carry(services.config, path, { secret, sessionId: caller.sessionId }));
  return path;
}

/** The secret that was just made: shown now, and on no page again. */
function newSecret({ services, request, caller, carried = {}, cookies }: SignedIn): HtmlValue {
  if (!carried.secret || carried.sessionId !== caller.sessionId) return undefined;
  cookies.push(carry(services.config, request.path));
  return html`<div class="stack" role="status"><p class="notice good">${t('This is the secret that deliveries are signed with. Copy it to the receiver now: it is not shown again.')}</p>
<div class="acts"><pre id="secret">${carried.secret}</pre>
${scriptButton('copy', 'secret', t('Copy'), t('Copied'))}</div></div>`;
}

export const endpointPage: PanelPage = {
  permission: 'webhooks:read',
  title: async (visit) =>
    (await read<{ webhook: Endpoint }>(visit, 'GET /webhooks/{id}')).webhook.url,
  content: async (visit) => {
    const { webhook } = await read<{ webhook: Endpoint }>(visit, 'GET /webhooks/{id}');
    return html`${newSecret(visit)}<dl>
<dt>${t('Events')}</dt><dd>${webhook.events.join(', ')}</dd>
<dt>${t('State')}</dt><dd>${stateOf(webhook)}</dd>
<dt>${t('Secret')}</dt><dd>${webhook.secret === null ? t('None. Deliveries are not signed.') : t('Set. Every delivery is signed with it.')}</dd>
<dt>${t('Created')}</dt><dd>${time(visit, webhook.createdAt)}</dd>
</dl>
${may(visit, 'webhooks:write') && acts(visit, webhook)}
${await deliveries(visit)}`;
  },
  forms: {
    ...webhookForms,
    save: { submits: 'PATCH /webhooks/{id}', input: endpointBody },
    test: { submits: 'POST /webhooks/{id}/test', done: t('The test is the newest delivery.') },
    rotate: {
      submits: 'POST /webhooks/{id}/rotate-secret',
      next: (visit, { body }) =>
        showOnce(visit, visit.params.id ?? '', (body as { secret: string }).secret),
    },
  },
};

function acts(visit: SignedIn, endpoint: Endpoint): HtmlValue {
  const fields = endpointFields(visit, endpoint);
  return html`<div class="acts">${endpoint.isActive && actButton(visit, 'test', t('Send a test event'))}
${confirmed(visit, t('A new secret is generated and shown once. X-Webhook-Signature uses it at once; in webhook-signature the old one signs too, for 24 hours.'), { name: 'rotate', submit: t('Replace the secret'), about: endpoint.url })}
${webhookActs(visit, endpoint)}</div>
<details${visit.refusal?.form === 'save' && html` open`}><summary>${t('Change this webhook')}</summary>
${form(visit, { name: 'save', fields, submit: t('Save') })}</details>`;
}
