import { z } from 'zod';
import type { WebhookConfig } from './webhook-config.js';

type Editable = Omit<WebhookConfig, 'id' | 'sealedSecret' | 'createdAt' | 'updatedAt'> & {
  /** Null takes the secret away; `***`, as it is shown, leaves it. */
  secret: string | null;
};

/** What an administrator says of a webhook. Absent: the default, or, in a change, as it was. */
export type WebhookFields = { [Name in keyof Editable]?: Editable[Name] | undefined };

/** One kind of webhook: which fields it takes, and how it is shown. */
export interface WebhookShape {
  describes(config: WebhookConfig): boolean;
  create: z.ZodType<WebhookFields>;
  patch: z.ZodType<WebhookFields>;
  view(config: WebhookConfig): Record<string, unknown>;
}

/** What a secret is shown as. */
export const HIDDEN = '***';

const EVENT_NAME = /^[\w.:-]{1,128}$/;

/** The fields of every kind. */
export const commonFields = {
  events: z
    .array(z.union([z.literal('*'), z.string().regex(EVENT_NAME)]))
    .min(1)
    .max(100),
  secret: z.string().min(8).max(512).or(z.literal(HIDDEN)).nullable().optional(),
  isActive: z.boolean().optional(),
  tenantId: z.string().min(1).max(128).nullable().optional(),
};

/** A configuration as every kind is shown, without its secret. */
export function commonView(config: WebhookConfig): Record<string, unknown> {
  return {
    id: config.id,
    events: config.events,
    secret: config.sealedSecret === null ? null : HIDDEN,
    isActive: config.isActive,
    tenantId: config.tenantId,
    createdAt: new Date(config.createdAt).toISOString(),
    updatedAt: new Date(config.updatedAt).toISOString(),
  };
}
