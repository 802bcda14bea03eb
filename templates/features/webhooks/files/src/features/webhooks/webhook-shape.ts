import { z } from 'zod';
import { commonFields, commonView, type WebhookShape } from '../webhook-configs/shape.js';

const DAY_MS = 24 * 60 * 60_000;

/** http or https, without user info: it would end up in logs. Where it leads is checked at each connection. */
const receiverUrl = z
  .url({ protocol: /^https?$/, error: 'An http or https URL.' })
  .max(2048)
  .refine((text) => {
    if (!URL.canParse(text)) return true;
    const url = new URL(text);
    return url.username === '' && url.password === '';
  }, 'User info does not belong into a URL.');

const fields = {
  ...commonFields,
  url: receiverUrl,
  maxRetries: z.number().int().min(0).max(20).optional(),
  retryDelayMs: z.number().int().min(1).max(DAY_MS).optional(),
};

/** An endpoint that events are sent to. */
export const webhookShape: WebhookShape = {
  describes: ({ url }) => url !== null,
  create: z.strictObject(fields),
  patch: z.strictObject(fields).partial(),
  view(config) {
    const { url, maxRetries, retryDelayMs } = config;
    return { ...commonView(config), url, maxRetries, retryDelayMs };
  },
};
