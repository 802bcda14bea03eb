import { randomId } from '../../random.js';
import type { Services } from '../../services.js';
import type { WebhookConfig } from '../webhook-configs/webhook-config.js';
import type { Action } from './action.js';
import { availableActions } from './available-actions.js';
import { scriptProblem } from './check-script.js';
import type { ScriptJob, ScriptOutcome } from './sandbox/run-script.js';

/** Of the specification. */
const TIMEOUT_MS = 5_000;

const NOT_RUN = { result: null, isTimeout: false, log: [], calls: [], durationMs: 0 };

/** Runs the script of an inbound webhook on a body. Never throws for what the script does. */
export async function runWebhook(
  services: Services,
  config: WebhookConfig,
  body: unknown,
): Promise<ScriptOutcome> {
  const script = config.jsScript ?? '';
  const problem = scriptProblem(script);
  if (problem) return { ...NOT_RUN, error: problem };
  const available = await availableActions(services, config.allowedActions);
  const runId = randomId();
  const actions: ScriptJob['actions'] = new Map(
    available.map((action) => [
      action.id,
      (input, call, signal) =>
        callAction(services, action, input, { idempotencyKey: `${runId}:${call}`, signal }),
    ]),
  );
  const job = { script, body, actions, timeoutMs: TIMEOUT_MS };
  return services.parts.tools.run(config.provider ?? config.id, job);
}

/** Throws, for the script to catch, if the argument does not fit. */
async function callAction(
  services: Services,
  action: Action,
  input: unknown,
  context: { idempotencyKey: string; signal: AbortSignal },
): Promise<unknown> {
  const parsed = action.input.safeParse(input);
  if (!parsed.success) {
    const problems = parsed.error.issues.map(({ path, message }) => `${path.join('.')} ${message}`);
    throw new Error(`${action.id}: ${problems.join('; ').trim()}`);
  }
  try {
    return await action.fn(parsed.data, { services, ...context });
  } catch (error) {
    // The script learns that it failed; why is for the log alone.
    services.log.warn({ err: error, action: action.id }, 'an action failed');
    throw new Error(`${action.id} failed.`);
  }
}
