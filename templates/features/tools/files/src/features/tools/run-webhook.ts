import * as z from 'zod';
import { refuse } from '../../http/errors.js';
import type { RequestInfo } from '../../http/request.js';
import { now } from '../../process/clock.js';
import { randomId } from '../../process/random.js';
import type { Services } from '../../services.js';
import { type Account, hasPermission } from '../../users/account.js';
import { currentSetting } from '../settings/feature.js';
import { includesEvent, type WebhookConfig } from '../webhook-configs/store.js';
import { actions } from './actions.js';
import type { ScriptJob, ScriptOutcome } from './sandbox/run-script.js';

/** True if the caller has the permissions of all these actions. */
export function mayAllow(caller: Account, ids: string[]): boolean {
  return ids.every((id) => {
    const action = actions.find((each) => each.id === id);
    // An id that is not registered yet may later be registered for any action.
    const permission = action ? action.permission : '*:*';
    return !permission || hasPermission(caller, permission);
  });
}

/** Throws FORBIDDEN unless the caller may let scripts use these actions. */
export function requirePermissions(caller: Account, ids: string[]): void {
  if (!mayAllow(caller, ids)) throw refuse('FORBIDDEN');
}

/** Runs the script of an inbound webhook on a body. Never throws because of the script. */
export async function runWebhook(
  services: Services,
  { id, provider, jsScript, allowedActions }: WebhookConfig,
  body: unknown,
  request: RequestInfo,
): Promise<ScriptOutcome> {
  // Read at each run, so that a change of the setting applies at once.
  const enabled = new Set(await currentSetting(services, 'enabledWebhookActions'));
  const runId = randomId();
  const actor = `webhook:${provider}`;
  const available: ScriptJob['actions'] = new Map();
  for (const action of actions) {
    const isEnabled = [action.id, ...action.dependsOn].every((each) => enabled.has(each));
    if (!isEnabled || !allowedActions.includes(action.id)) continue;
    available.set(action.id, (input, call, signal) =>
      action.run(input, { services, actor, request, signal, idempotencyKey: `${runId}:${call}` }),
    );
  }
  const job = { script: jsScript ?? '', body, actions: available, timeoutMs: 5_000 };
  return services.workers.tools.run(id, job);
}

/** Runs the script for a call: emits the event that it requests, and keeps a record of the run. */
export async function answerCall(
  services: Services,
  config: WebhookConfig,
  body: unknown,
  request: RequestInfo,
): Promise<void> {
  const startedAt = now();
  const { result, ...run } = await runWebhook(services, config, body, request);
  const { error, log } = run;
  if (log.length > 0) services.log.info({ webhookId: config.id, log }, 'output of a script');
  if (error !== null) services.log.error({ webhookId: config.id, error }, 'a script failed');
  const wanted = EmittedEvent.safeParse(result).data;
  const refusal = wanted && refusalOf(wanted.event, config);
  if (refusal) {
    const { event } = wanted;
    services.log.warn({ webhookId: config.id, event }, 'a script may not emit this event');
    log.push(refusal);
  } else if (wanted) {
    const { event, data = null, userId, tenantId } = wanted;
    const origin = { actor: `webhook:${config.provider}`, request };
    const cause = { ...origin, userId, tenantId: config.tenantId ?? tenantId };
    await services.transaction(async ({ events }) => events.publishNamed(event, data, cause));
  }
  const event = wanted && !refusal ? wanted.event : null;
  services.background.run('record of a script', () =>
    services.tools.add(config.id, startedAt, { ...run, event }),
  );
}

/** Drops an id that a database would refuse: a script may copy it from the request. */
const optionalId = z
  .string()
  .regex(/^[^\p{Cc}]{1,128}$/u)
  .optional()
  .catch(undefined);

/** Events that the service itself emits. */
const RESERVED = /^identity\.(user|session|auth|role|webhook)\./;

const EmittedEvent = z.object({
  event: z.string().regex(/^[\w.:-]{1,128}$/),
  data: z.unknown().optional(),
  userId: optionalId,
  tenantId: optionalId,
});

/** Why the webhook may not emit the event; undefined if it may. */
function refusalOf(event: string, { events }: WebhookConfig): string | undefined {
  // Also what the audit log says of actions: no script may forge it. Some databases ignore case.
  const name = event.toLowerCase();
  const isReserved = RESERVED.test(name) || actions.some(({ id }) => id.toLowerCase() === name);
  if (isReserved) return `${event} was not emitted: the name is reserved.`;
  return includesEvent(events, event)
    ? undefined
    : `${event} was not emitted: it is not among the webhook's events.`;
}
