import { now } from '../../clock.js';
import { randomId } from '../../random.js';
import type { Services } from '../../services.js';
import { sealSecret } from './secret.js';
import { HIDDEN, type WebhookFields } from './shape.js';
import type { WebhookConfig } from './webhook-config.js';

/** Of the specification. */
const MAX_RETRIES = 3;
const RETRY_DELAY_MS = 1_000;

/** Creates a webhook; undefined if another one answers for the provider. */
export async function createWebhook(
  services: Services,
  fields: WebhookFields,
): Promise<WebhookConfig | undefined> {
  const blank: WebhookConfig = {
    id: randomId(),
    url: null,
    events: ['*'],
    sealedSecret: null,
    isActive: true,
    tenantId: null,
    maxRetries: MAX_RETRIES,
    retryDelayMs: RETRY_DELAY_MS,
    provider: null,
    allowedActions: [],
    jsScript: null,
    createdAt: now(),
    updatedAt: now(),
  };
  const config = withFields(services, blank, fields);
  return (await services.webhookConfigs.create(config)) ? config : undefined;
}

/** Changes the fields that are given; undefined if another one answers for the provider. */
export async function changeWebhook(
  services: Services,
  config: WebhookConfig,
  fields: WebhookFields,
): Promise<WebhookConfig | undefined> {
  const changed = withFields(services, config, fields);
  return (await services.webhookConfigs.update(changed)) ? changed : undefined;
}

function withFields(
  services: Services,
  config: WebhookConfig,
  { secret = HIDDEN, ...fields }: WebhookFields,
): WebhookConfig {
  const sealedSecret =
    secret === HIDDEN ? config.sealedSecret : secret && sealSecret(services, config.id, secret);
  return { ...config, ...given(fields), sealedSecret, updatedAt: now() };
}

/** Without the fields that are undefined: spread over others they would erase them. */
function given<Fields extends object>(fields: Fields) {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as {
    [Name in keyof Fields]: Exclude<Fields[Name], undefined>;
  };
}
