import { createWebhook } from '../src/features/webhook-configs/save-webhook.js';
import type { WebhookFields } from '../src/features/webhook-configs/shape.js';
import type { TestService } from './service.js';

/** Registers a script for calls from outside, with all actions enabled unless told otherwise. */
export async function addScript(
  { services }: TestService,
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
  { url, config }: TestService,
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

/** What came of the last run. */
export async function lastRun({ idle, services }: TestService, webhookId: string) {
  await idle();
  const { runs } = await services.tools.list(webhookId, { limit: 1, offset: 0 });
  return runs[0];
}
