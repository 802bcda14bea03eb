import { now } from '../../process/clock.js';
import { randomId } from '../../process/random.js';
import type { Services } from '../../services.js';
import { type SealedColumn, sealFor } from '../data-key/sealed-columns.js';
import type { WebhookConfig } from './store.js';

/** Defaults of the specification. */
const MAX_RETRIES = 3;
const RETRY_DELAY_MS = 1_000;
/** How long the old secret keeps signing after it was replaced. */
const OVERLAP_MS = 24 * 60 * 60_000;

/** Shown in place of a secret; sent back in a change, it keeps the secret. */
export const HIDDEN_SECRET = '***';

/** Where the secret is. */
export const secretColumn: SealedColumn = {
  table: 'webhook_configs',
  id: 'id',
  column: 'sealed_secret',
  kind: 'webhook-secret',
};

/** Where it is once it was replaced: moved there as it is, so of the same kind. */
export const formerSecretColumn: SealedColumn = { ...secretColumn, column: 'former_secret' };

type Editable = Omit<WebhookConfig, 'id' | 'sealedSecret' | 'createdAt' | 'updatedAt'> & {
  /** Null removes the secret. */
  secret: string | null;
};

/** What an administrator can set. Absent fields get the default or, in a change, keep their value. */
export type WebhookFields = { [Name in keyof Editable]?: Editable[Name] | undefined };

/** Creates a webhook; undefined if another one has the provider. */
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
    signature: 'service',
    allowedActions: [],
    jsScript: null,
    createdAt: now(),
    updatedAt: now(),
  };
  const config = { ...blank, ...changesOf(services, blank.id, fields) };
  return (await services.webhookConfigs.create(config)) ? config : undefined;
}

/**
 * Changes the fields that are given; undefined if another webhook has the provider. A secret that is replaced
 * keeps signing for 24 hours; one that is removed does not.
 */
export async function changeWebhook(
  services: Services,
  config: WebhookConfig,
  fields: WebhookFields,
): Promise<WebhookConfig | undefined> {
  const changes = changesOf(services, config.id, fields);
  const isChanged = await services.webhookConfigs.update(config.id, changes, now() + OVERLAP_MS);
  return isChanged ? { ...config, ...changes } : undefined;
}

function changesOf(
  services: Services,
  id: string,
  { secret = HIDDEN_SECRET, ...fields }: WebhookFields,
): Partial<WebhookConfig> {
  const changes: Partial<WebhookConfig> = { ...withoutUndefined(fields), updatedAt: now() };
  if (secret === HIDDEN_SECRET) return changes;
  return { ...changes, sealedSecret: secret && sealFor(services, secretColumn, id, secret) };
}

/** Spread over an object, an undefined field would erase its value. */
function withoutUndefined<Fields extends object>(fields: Fields) {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as {
    [Name in keyof Fields]: Exclude<Fields[Name], undefined>;
  };
}
