import type { FeatureParts } from '../../../feature.js';
import { type Html, type HtmlValue, html } from '../../../http/html.js';
import { may, type PanelPage, panelPath, read } from '../../admin-panel/panel.js';
import { parsedJson, time } from '../../admin-panel/parts.js';
import { form } from '../../pages/form.js';
import { readAsset } from '../../pages/layout.js';
import type { SignedIn } from '../../pages/visit.js';
import { stateOf, webhookActs, webhookForms } from '../../webhook-configs/admin-panel/feature.js';
import type { DryRun } from '../admin/feature.js';
import { mayAllow } from '../run-webhook.js';
import { actionsPage, toolsStyle } from './actions.js';
import { type Inbound, inboundBody, inboundFields, SIGNATURES } from './inbound-fields.js';
import { dryRun, runs } from './runs.js';
import { t } from './texts.js';

const editorScript = readAsset('editor.browser.js', import.meta.url);
const assets = [editorScript, toolsStyle];

const beside = { SECRET_REQUIRED: 'secret', WEBHOOK_EXISTS: 'provider' };

const newInboundPage: PanelPage = {
  permission: 'webhooks:write',
  assets,
  title: () => t('New inbound webhook'),
  content: async (visit) => {
    const fields = await inboundFields(visit, 'create');
    return form(visit, { name: 'create', fields, submit: t('Create') });
  },
  forms: {
    create: {
      submits: 'POST /webhooks',
      input: inboundBody,
      beside,
      next: (visit, { body }) =>
        panelPath(visit, `/webhooks/inbound/${(body as { webhook: Inbound }).webhook.id}`),
    },
  },
};

/** The page; after a dry run, with its result. */
async function content(visit: SignedIn, tried?: { run: DryRun; body: string }): Promise<Html> {
  const { webhook } = await read<{ webhook: Inbound }>(visit, 'GET /webhooks/{id}');
  // First, since it refuses an outgoing webhook.
  const lastRuns = await runs(visit);
  const mayWrite = may(visit, 'webhooks:write');
  // Whoever changes the script can do what its actions can.
  const mayChange = mayWrite && mayAllow(visit.caller, webhook.allowedActions);
  const { BASE_URL, TOOLS_PREFIX } = visit.services.config;
  const url = `${BASE_URL}${TOOLS_PREFIX}/webhook/${webhook.provider}`;
  const change: HtmlValue =
    mayChange &&
    html`<h2>${t('Settings')}</h2>
${form(visit, { name: 'save', fields: await inboundFields(visit, 'save', webhook), submit: t('Save') })}
${dryRun(visit, tried)}`;
  return html`<dl>
<dt>${t('Called at')}</dt><dd><code>POST ${url}</code></dd>
<dt>${t('State')}</dt><dd>${stateOf(webhook)}</dd>
<dt>${t('Secret')}</dt><dd>${webhook.secret === null ? t('None: anybody who knows the address can call it.') : SIGNATURES[webhook.signature]}</dd>
<dt>${t('Events')}</dt><dd>${webhook.events.join(', ')}</dd>
<dt>${t('Actions')}</dt><dd>${webhook.allowedActions.join(', ') || '–'}</dd>
<dt>${t('Created')}</dt><dd>${time(visit, webhook.createdAt)}</dd>
</dl>
${mayWrite && html`<div class="acts">${webhookActs(visit, webhook, mayChange)}</div>`}
${change || html`<h2>${t('Script')}</h2><pre>${webhook.jsScript}</pre>`}
${lastRuns}`;
}

const inboundPage: PanelPage = {
  permission: 'webhooks:read',
  assets,
  title: async (visit) =>
    (await read<{ webhook: Inbound }>(visit, 'GET /webhooks/{id}')).webhook.provider,
  content,
  forms: {
    ...webhookForms,
    save: { submits: 'PATCH /webhooks/{id}', input: inboundBody, beside },
    'dry-run': {
      submits: 'POST /webhooks/{id}/dry-run',
      input: ({ body }) => ({ body: parsedJson(body) }),
      beside: { VALIDATION_FAILED: 'body' },
      next: (visit, { body }, fields) =>
        content(visit, { run: body as DryRun, body: fields.body ?? '' }),
    },
  },
};

export const toolsAdminPanel: FeatureParts = {
  texts: t.texts,
  panelWebhookKind: {
    path: '/webhooks/inbound',
    label: t('Inbound'),
    newLabel: t('New inbound webhook'),
    nameOf: ({ provider }) => (typeof provider === 'string' ? provider : undefined),
  },
  panelPages: {
    '/webhooks/inbound/new': newInboundPage,
    '/webhooks/inbound/{id}': inboundPage,
    '/actions': actionsPage,
  },
};
