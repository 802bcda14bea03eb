import type { Services } from '../services.js';
import { settings } from '../settings.js';
import type { SettingDefinition } from './setting.js';
import type { Setting, SettingName } from './setting-store.js';

/** What holds now: the stored setting, else its fallback. Read at each decision, so that a change works at once. */
export async function currentSetting<Name extends SettingName>(
  services: Services,
  name: Name,
): Promise<Setting<Name>> {
  const stored = await services.settings.get(name);
  if (stored !== undefined) return stored;
  // Safe: a fallback has the type of its schema, as `setting` demands.
  const { fallback } = settings[name] as unknown as SettingDefinition<Setting<Name>>;
  return fallback(services.config);
}
