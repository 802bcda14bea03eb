import * as z from 'zod';
import type { Db } from '../../db/schema.js';
import { defineFeature } from '../../feature.js';
import type { Services } from '../../services.js';
import type { Account } from '../../users/account.js';
import {
  formerSecretColumn,
  HIDDEN_SECRET,
  secretColumn,
  type WebhookFields,
} from './save-webhook.js';
import { type WebhookConfig, webhookConfigsStore } from './store.js';

/** One kind of webhook. */
export interface WebhookShape {
  describes(config: WebhookConfig): boolean;
  /** What a new webhook takes, and what is shown of every one. */
  create: z.ZodType<WebhookFields> & { shape: object };
  patch: z.ZodType<WebhookFields>;
  /** Checks that a schema cannot do, outside the transaction. Throws VALIDATION_FAILED. */
  check?(services: Services, fields: WebhookFields): Promise<void>;
  /** In the transaction: throws FORBIDDEN if the caller may not save the webhook after a change of `fields`. */
  requireAllowed?(caller: Account, config: WebhookConfig, fields: WebhookFields): void;
  /** True for a webhook that may only be called with its secret. */
  needsSecret?(config: WebhookConfig): boolean;
  /** Makes the secret of a webhook that is created without one. */
  generateSecret?: () => string;
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

/** The fields of every kind. */
export const commonFields = {
  events: z.array(z.string().regex(EVENT_NAME, 'Use names of events, or *.')).min(1).max(100),
  secret: z.string().min(8).max(512).or(z.literal(HIDDEN_SECRET)).nullable().optional(),
  isActive: z.boolean().optional(),
  tenantId: z.string().min(1).max(128).nullable().optional(),
};

export const webhookConfigs = defineFeature({
  sealedColumns: [secretColumn, formerSecretColumn],
  stores: (db: Db) => ({ webhookConfigs: webhookConfigsStore(db) }),
});
