import { createHmac } from 'node:crypto';
import { createWebhook, type WebhookFields } from '../src/features/webhook-configs/feature.js';
import type { TestService } from './service.js';

type Running = Pick<TestService, 'url' | 'config' | 'services'>;

/** Registers a script for calls from outside, with all actions enabled unless told otherwise. */
export async function addScript(
  { services }: Running,
  jsScript: string,
  fields: WebhookFields = {},
  enabled = ['echo.say', 'users.find', 'users.sessions', 'users.disable', 'mail.send'],
) {
  await services.settings.set('enabledWebhookActions', enabled);
  const script = { provider: 'acme', jsScript, allowedActions: enabled, ...fields };
  const config = await createWebhook(services, script);
  if (!config) throw new Error('The script was not added.');
  return config;
}

/** A call from outside; a text is sent as it is. */
export async function callTools(
  { url, config }: Running,
  body: unknown = {},
  headers: Record<string, string> = {},
  provider = 'acme',
) {
  const response = await fetch(`${url}${config.TOOLS_PREFIX}/webhook/${provider}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  const answer: { ok?: true; code?: string } = JSON.parse(await response.text());
  return { status: response.status, body: answer };
}

/** The last run of a webhook. */
export async function lastRun({ idle, services }: TestService, webhookId: string) {
  await idle();
  const runs = await services.tools.list(webhookId);
  return runs[0];
}

let added = 0;

/** Registers a script under a provider of its own and calls it once. */
export async function runScript(
  service: TestService,
  jsScript: string,
  fields: WebhookFields = {},
  body: unknown = {},
) {
  added += 1;
  const provider = fields.provider ?? `provider-${added}`;
  const { id } = await addScript(service, jsScript, { ...fields, provider });
  const answer = await callTools(service, body, {}, provider);
  return { ...answer, run: await lastRun(service, id) };
}

/** The events of that name, of which scripts are the only source. */
export async function emittedBy(service: TestService, name = 'x.y') {
  return (await service.events()).filter(({ event }) => String(event) === name);
}

/** The header that signs a text with a secret. */
export function signatureOf(text: string, secret = 'a-shared-secret') {
  return {
    'x-webhook-signature': `sha256=${createHmac('sha256', secret).update(text).digest('hex')}`,
  };
}
