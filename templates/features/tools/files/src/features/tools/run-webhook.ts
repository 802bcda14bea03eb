import { z } from 'zod';
import type { RequestInfo } from '../../http/request.js';
import { randomId } from '../../process/random.js';
import type { Services } from '../../services.js';
import { currentSetting } from '../settings/settings.js';
import { includesEvent, type WebhookConfig } from '../webhook-configs/store.js';
import type { Action } from './action.js';
import { actions } from './actions.js';
import { scriptProblem } from './check-script.js';
import type { ScriptJob, ScriptOutcome } from './sandbox/run-script.js';

/** From the specification. */
const TIMEOUT_MS = 5_000;

/** Runs the script of an inbound webhook on a body. Never throws for what the script does. */
export async function runWebhook(
  services: Services,
  { id, provider, jsScript, allowedActions }: WebhookConfig,
  body: unknown,
): Promise<ScriptOutcome> {
  const script = jsScript ?? '';
  const error = scriptProblem(script);
  if (error !== undefined) {
    return { result: null, error, isTimeout: false, log: [], calls: [], durationMs: 0 };
  }
  const runId = randomId();
  const available: ScriptJob['actions'] = new Map();
  for (const action of await availableActions(services, allowedActions)) {
    available.set(action.id, (input, call, signal) =>
      action.run(input, { services, signal, idempotencyKey: `${runId}:${call}` }),
    );
  }
  const job = { script, body, actions: available, timeoutMs: TIMEOUT_MS };
  return services.workers.tools.run(provider ?? id, job);
}

/**
 * The actions that a script may use: enabled by the setting, with all that they depend on, and allowed to
 * this script. Read at each run, so that a change applies at once.
 */
async function availableActions(services: Services, allowed: string[]): Promise<Action[]> {
  const enabled = new Set(await currentSetting(services, 'enabledWebhookActions'));
  return actions.filter(
    ({ id, dependsOn }) =>
      enabled.has(id) && allowed.includes(id) && dependsOn.every((other) => enabled.has(other)),
  );
}

/** A script may copy it from the request: an id that a database would refuse is dropped. */
const optionalId = z
  .string()
  .regex(/^[^\p{Cc}]{1,128}$/u)
  .optional()
  .catch(undefined);

const EmittedEvent = z.object({
  event: z.string().regex(/^[\w.:-]{1,128}$/),
  data: z.json().optional(),
  userId: optionalId,
  tenantId: optionalId,
});

/** Emits the event of a result and returns its name; null if there is none or the webhook may not emit it. */
export async function emitResult(
  services: Services,
  { events: allowed }: WebhookConfig,
  result: unknown,
  request: RequestInfo,
): Promise<string | null> {
  const parsed = EmittedEvent.safeParse(result);
  if (!parsed.success || !includesEvent(allowed, parsed.data.event)) return null;
  const { event, data = null, userId, tenantId } = parsed.data;
  const cause = {
    request,
    ...(userId === undefined ? {} : { userId }),
    ...(tenantId === undefined ? {} : { tenantId }),
  };
  await services.transaction(async ({ events }) => events.publishNamed(event, data, cause));
  return event;
}
