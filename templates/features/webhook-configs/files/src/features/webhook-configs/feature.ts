import * as z from 'zod';
import type { Db } from '../../db/schema.js';
import { defineFeature } from '../../feature.js';
import { now } from '../../process/clock.js';
import { randomId } from '../../process/random.js';
import type { Services } from '../../services.js';
import type { Account } from '../../users/account.js';
import { open, type SealedColumn, sealFor } from '../data-key/sealed-columns.js';
import { type WebhookChanges, type WebhookConfig, webhookConfigsStore } from './store.js';

/** How long a replaced secret keeps signing. */
const OVERLAP_MS = 24 * 60 * 60_000;

/** Shown in place of a secret; if a change sends it back, the secret is kept. */
export const HIDDEN_SECRET = '***';

const table = 'webhook_configs';
export const secretColumn: SealedColumn = { table, id: 'id', column: 'sealed_secret' };
/** The column of a replaced secret. */
export const formerSecretColumn: SealedColumn = { ...secretColumn, column: 'former_secret' };

/** What an administrator can set. Absent fields get the default or, in a change, keep their value. */
export type WebhookFields = Omit<
  WebhookChanges,
  'id' | 'sealedSecret' | 'createdAt' | 'updatedAt'
> & {
  /** Null removes the secret. */
  secret?: string | null | undefined;
};

/** One kind of webhook. */
export interface WebhookShape {
  /** The field that every webhook of this kind has, and no other. */
  key: 'url' | 'provider';
  /** What a new webhook takes, what a change may set, and what is shown. */
  fields: z.ZodType<WebhookFields> & { shape: z.ZodRawShape; partial(): z.ZodType<WebhookFields> };
  /** Checks that a schema cannot do, outside the transaction. Throws VALIDATION_FAILED. */
  check?(services: Services, fields: WebhookFields): Promise<void>;
  /** In the transaction: throws FORBIDDEN if the caller may not save the webhook. */
  requireAllowed?(caller: Account, config: WebhookConfig): void;
  /** True for a webhook that may only be called with its secret. */
  needsSecret?(config: WebhookConfig): boolean;
  /** Makes the secret of a webhook that is created without one. */
  generateSecret?: () => string;
  /** Deletes what is stored about a webhook that is off, in short statements. */
  empty?(services: Services, id: string): Promise<void>;
}

declare module '../../feature.js' {
  interface FeatureParts {
    /** A kind of webhook that administrators can make. */
    webhookShape?: WebhookShape;
  }
}

/** The kinds of webhook that this service has. */
export function webhookShapesOf({ features }: Services): WebhookShape[] {
  return features.flatMap(({ webhookShape }) => webhookShape ?? []);
}

const EVENT_NAME = /^(\*|[\w.:-]{1,128})$/;

/** The key of a Standard Webhooks signature: in base64 after `whsec_`, otherwise the secret itself. */
export function standardKey(secret: string): Buffer {
  const isEncoded = secret.startsWith('whsec_');
  return isEncoded ? Buffer.from(secret.slice(6), 'base64') : Buffer.from(secret);
}

const givenSecret = z
  .string()
  .min(8)
  .max(512)
  // For every kind of signature: a later change may make this the key, and everybody knows an empty one.
  .refine((secret) => standardKey(secret).length > 0, 'After whsec_, give the key in base64.');

/** The fields of every kind. */
export const commonFields = {
  events: z.array(z.string().regex(EVENT_NAME, 'Use names of events, or *.')).min(1).max(100),
  secret: givenSecret.or(z.literal(HIDDEN_SECRET)).nullable().optional(),
  isActive: z.boolean().optional(),
  tenantId: z.string().min(1).max(128).nullable().optional(),
};

/** Creates a webhook, with defaults for absent fields; undefined if another one has the provider. */
export async function createWebhook(
  services: Services,
  { secret, ...fields }: WebhookFields,
): Promise<WebhookConfig | undefined> {
  const id = randomId();
  const isCreated = await services.webhookConfigs.create({
    ...fields,
    id,
    events: fields.events ?? ['*'],
    sealedSecret: sealed(services, id, secret),
    allowedActions: fields.allowedActions ?? [],
    createdAt: now(),
    updatedAt: now(),
  });
  return isCreated ? services.webhookConfigs.find(id) : undefined;
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
  // First: this locks the row, and so of two parallel changes one finds the secret of the other.
  if (!(await services.webhookConfigs.update(id, { ...fields, updatedAt: now() }))) return false;
  const { sealedSecret: stored } = (await services.webhookConfigs.find(id)) ?? {};
  // A repeated request must not end the time of the secret that the first one replaced.
  const isStored = stored && secret && (await open(services, secretColumn, id, stored)) === secret;
  const sealedSecret = isStored ? undefined : sealed(services, id, secret);
  return services.webhookConfigs.update(id, { sealedSecret }, now() + OVERLAP_MS);
}

/**
 * Outside of a transaction, before a webhook is deleted: turns it off and deletes what is stored about it. Deleting
 * all of it together with the webhook may take long, and each event for it would wait.
 */
export async function emptyWebhook(services: Services, id: string): Promise<void> {
  await services.webhookConfigs.deactivate(id);
  for (const shape of webhookShapesOf(services)) await shape.empty?.(services, id);
}

/** Undefined for the secret that is already stored. */
function sealed(services: Services, id: string, secret: string | null = HIDDEN_SECRET) {
  if (secret === HIDDEN_SECRET) return undefined;
  return secret && sealFor(services, secretColumn, id, secret);
}

export const webhookConfigs = defineFeature({
  sealedColumns: [secretColumn, formerSecretColumn],
  stores: (db: Db) => ({ webhookConfigs: webhookConfigsStore(db) }),
});
