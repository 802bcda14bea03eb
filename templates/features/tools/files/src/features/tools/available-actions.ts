import type { Services } from '../../services.js';
import { currentSetting } from '../../settings/current-setting.js';
import type { Action } from './action.js';
import { actions } from './actions.js';

/**
 * What one script may use: registered, enabled globally, allowed to this script, and with everything
 * enabled that it depends on (rules of the specification). Read at each run: a change works at once.
 */
export async function availableActions(services: Services, allowed: string[]): Promise<Action[]> {
  const enabled = new Set(await currentSetting(services, 'enabledWebhookActions'));
  return actions.filter(
    ({ id, dependsOn }) =>
      enabled.has(id) && allowed.includes(id) && dependsOn.every((other) => enabled.has(other)),
  );
}
