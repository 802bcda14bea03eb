import { z } from 'zod';
import type { Services } from '../../../services.js';
import { Success } from '../../../session/views.js';
import { currentSetting } from '../../../settings/current-setting.js';
import type { Setting, SettingName } from '../../../settings/setting-store.js';
import { settings } from '../../../settings.js';
import { get, put } from '../route.js';

const names = Object.keys(settings) as SettingName[];
const SettingList = z.object({ settings: z.record(z.string(), z.unknown()) });

/** Absent: as it was. Null: the environment decides again. */
type SettingChanges = { [Name in SettingName]?: Setting<Name> | null };

// Safe: each field has the schema of the setting of its name, which an object built in a loop cannot tell.
const SettingChanges = z.object(
  Object.fromEntries(
    Object.entries(settings).map(([name, { schema }]) => [name, z.nullable(schema).optional()]),
  ),
) as unknown as z.ZodType<SettingChanges>;

export const settingRoutes = [
  get(
    '/settings',
    {
      summary: 'What holds now of all that can be set',
      permission: 'settings:read',
      reply: SettingList,
    },
    async ({ services }) => ({ body: { settings: await allSettings(services) } }),
  ),

  put(
    '/settings',
    {
      summary: 'Change settings; null returns one to the environment',
      permission: 'settings:write',
      body: SettingChanges,
      reply: Success.extend(SettingList.shape),
    },
    async ({ body, services }) => {
      for (const name of names) await change(services, body, name);
      return { body: { success: true, settings: await allSettings(services) } };
    },
  ),
];

async function change<Name extends SettingName>(
  services: Services,
  changes: SettingChanges,
  name: Name,
): Promise<void> {
  const value = changes[name];
  if (value !== undefined) await services.settings.set(name, value);
}

async function allSettings(services: Services): Promise<Record<string, unknown>> {
  const entries = names.map(async (name) => [name, await currentSetting(services, name)]);
  return Object.fromEntries(await Promise.all(entries));
}
