import { now } from '../../process/clock.js';
import { randomId } from '../../process/random.js';
import type { Services } from '../../services.js';
import { type SealedColumn, sealFor } from '../data-key/sealed-columns.js';
import type { WebhookChanges, WebhookConfig } from './store.js';

/** How long a replaced secret keeps signing. */
const OVERLAP_MS = 24 * 60 * 60_000;

/** Shown in place of a secret; if a change sends it back, the secret is kept. */
export const HIDDEN_SECRET = '***';

export const secretColumn: SealedColumn = {
  table: 'webhook_configs',
  id: 'id',
  column: 'sealed_secret',
  kind: 'webhook-secret',
};

/** The column of a replaced secret. The same kind, so that the sealed value can be moved unchanged. */
export const formerSecretColumn: SealedColumn = { ...secretColumn, column: 'former_secret' };

/** What an administrator can set. Absent fields get the default or, in a change, keep their value. */
export type WebhookFields = Omit<
  WebhookChanges,
  'id' | 'sealedSecret' | 'createdAt' | 'updatedAt'
> & {
  /** Null removes the secret. */
  secret?: string | null | undefined;
};

/** Creates a webhook, with defaults for absent fields; undefined if another one has the provider. */
export async function createWebhook(
  services: Services,
  { secret, ...fields }: WebhookFields,
): Promise<WebhookConfig | undefined> {
  const id = randomId();
  const config: WebhookConfig = {
    id,
    url: fields.url ?? null,
    events: fields.events ?? ['*'],
    sealedSecret: sealed(services, id, secret) ?? null,
    isActive: fields.isActive ?? true,
    tenantId: fields.tenantId ?? null,
    maxRetries: fields.maxRetries ?? 3,
    retryDelayMs: fields.retryDelayMs ?? 1_000,
    provider: fields.provider ?? null,
    signature: fields.signature ?? 'service',
    allowedActions: fields.allowedActions ?? [],
    jsScript: fields.jsScript ?? null,
    createdAt: now(),
    updatedAt: now(),
  };
  return (await services.webhookConfigs.create(config)) ? config : undefined;
}

/**
 * Changes the given fields; false if another webhook has the provider. A replaced secret keeps
 * signing for 24 hours; a removed one does not.
 */
export async function changeWebhook(
  services: Services,
  { id }: Pick<WebhookConfig, 'id'>,
  { secret, ...fields }: WebhookFields,
): Promise<boolean> {
  const changes = { ...fields, sealedSecret: sealed(services, id, secret), updatedAt: now() };
  return services.webhookConfigs.update(id, changes, now() + OVERLAP_MS);
}

/** Undefined for the secret that is already stored. */
function sealed(services: Services, id: string, secret: string | null = HIDDEN_SECRET) {
  if (secret === HIDDEN_SECRET) return undefined;
  return secret && sealFor(services, secretColumn, id, secret);
}
