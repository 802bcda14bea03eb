import { type Html, type HtmlValue, html } from '../../../http/html.js';
import { hasPermission } from '../../../users/account.js';
import { type PanelPage, panelPath, read } from '../../admin-panel/panel.js';
import { actButton, confirmed, time } from '../../admin-panel/parts.js';
import { readAsset } from '../../pages/assets.js';
import { type Field, form } from '../../pages/form.js';
import type { SignedIn, Visit } from '../../pages/visit.js';
import {
  eventsField,
  eventsIn,
  stateOf,
  type WebhookView,
  webhookActs,
  webhookForms,
} from '../../webhook-configs/admin-panel/form.js';
import { deliveries } from './delivery.js';
import { texts } from './texts.js';

/** As the API shows it. */
interface Endpoint extends WebhookView {
  url: string;
  maxRetries: number;
  retryDelayMs: number;
}

const copyScript = readAsset('copy.browser.js', import.meta.url);

function endpointFields(visit: SignedIn, endpoint?: Endpoint): (Field | Html)[] {
  const { maxRetries = 3, retryDelayMs = 1_000 } = endpoint ?? {};
  const names = visit.services.features.flatMap(({ events = {} }) => Object.keys(events)).sort();
  return [
    { name: 'url', label: texts.url, type: 'url', hint: texts.urlHint, value: endpoint?.url },
    eventsField(texts.eventsHint, endpoint?.events),
    html`<details><summary>${texts.knownEvents}</summary>
<ul>${names.map((name) => html`<li><code>${name}</code></li>`)}</ul></details>`,
    { name: 'maxRetries', label: texts.maxRetries, inputmode: 'numeric', value: `${maxRetries}` },
    {
      name: 'retryDelayMs',
      label: texts.retryDelayMs,
      hint: texts.retryDelayHint,
      inputmode: 'numeric',
      value: `${retryDelayMs}`,
    },
  ];
}

function endpointBody(fields: Record<string, string>) {
  const { url, maxRetries, retryDelayMs } = fields;
  return {
    url,
    events: eventsIn(fields),
    maxRetries: Number(maxRetries),
    retryDelayMs: Number(retryDelayMs),
  };
}

export const newEndpointPage: PanelPage = {
  path: '/webhooks/outgoing/new',
  permission: 'webhooks:write',
  assets: [copyScript],
  title: () => texts.newEndpoint,
  content: (visit) =>
    form(visit, { name: 'create', fields: endpointFields(visit), submit: texts.create }),
  forms: {
    create: {
      submits: 'POST /webhooks',
      input: endpointBody,
      next: (visit, { body }) => {
        const { webhook } = body as { webhook: { id: string; secret: string } };
        return shownOnce(visit, webhook.id, webhook.secret);
      },
    },
  },
};

/** A new secret, which no page shows again. */
function shownOnce(visit: Visit, id: string | undefined, secret: string): Html {
  const path = panelPath(visit, `/webhooks/outgoing/${id}`);
  return html`<p>${texts.secretOnce}</p>
<p><code id="secret">${secret}</code>
<button class="button" type="button" hidden data-copies="secret" data-done="${texts.copied}">${texts.copy}</button></p>
<p><a class="button primary" href="${path}">${texts.goOn}</a></p>`;
}

export const endpointPage: PanelPage = {
  path: '/webhooks/outgoing/{id}',
  permission: 'webhooks:read',
  assets: [copyScript],
  title: () => texts.endpoint,
  content: async (visit) => {
    const { webhook } = await read<{ webhook: Endpoint }>(visit, 'GET /webhooks/{id}');
    const log = await deliveries(visit);
    return html`<dl>
<dt>${texts.url}</dt><dd>${webhook.url}</dd>
<dt>${texts.events}</dt><dd>${webhook.events.join(', ')}</dd>
<dt>${texts.state}</dt><dd>${stateOf(webhook)}</dd>
<dt>${texts.secret}</dt><dd>${webhook.secret === null ? texts.noSecret : texts.hasSecret}</dd>
<dt>${texts.created}</dt><dd>${time(visit, webhook.createdAt)}</dd>
</dl>
${hasPermission(visit.caller, 'webhooks:write') && acts(visit, webhook)}
${log}`;
  },
  forms: {
    ...webhookForms,
    save: { submits: 'PATCH /webhooks/{id}', input: endpointBody },
    test: { submits: 'POST /webhooks/{id}/test', done: texts.testSent },
    rotate: {
      submits: 'POST /webhooks/{id}/rotate-secret',
      next: (visit, { body }) =>
        shownOnce(visit, visit.params.id, (body as { secret: string }).secret),
    },
  },
};

function acts(visit: SignedIn, endpoint: Endpoint): HtmlValue {
  const fields = endpointFields(visit, endpoint);
  return html`<div class="acts">${actButton(visit, 'test', texts.test)}
${confirmed(visit, texts.rotateText, { name: 'rotate', submit: texts.rotate })}
${webhookActs(visit, endpoint)}</div>
<details${visit.refusal?.form === 'save' && html` open`}><summary>${texts.change}</summary>
${form(visit, { name: 'save', fields, submit: texts.save })}</details>`;
}
