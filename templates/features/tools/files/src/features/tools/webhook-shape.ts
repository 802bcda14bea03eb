import { z } from 'zod';
import { commonFields, commonView, type WebhookShape } from '../webhook-configs/shape.js';
import { SCRIPT_LENGTH, scriptProblem } from './check-script.js';

const fields = {
  ...commonFields,
  /** Absent: every event. */
  events: commonFields.events.optional(),
  provider: z.string().regex(/^[\w.-]{1,64}$/, 'Letters, digits, points, hyphens, 64 at most.'),
  jsScript: z
    .string()
    .max(SCRIPT_LENGTH)
    .superRefine((script, context) => {
      const problem = scriptProblem(script);
      if (problem) context.addIssue({ code: 'custom', message: problem });
    }),
  allowedActions: z.array(z.string().min(1).max(128)).max(500).optional(),
};

/** A provider whose calls run a script. */
export const webhookShape: WebhookShape = {
  describes: ({ provider }) => provider !== null,
  create: z.strictObject(fields),
  patch: z.strictObject(fields).partial(),
  view(config) {
    const { provider, jsScript, allowedActions } = config;
    return { ...commonView(config), provider, jsScript, allowedActions };
  },
};
