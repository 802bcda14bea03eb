import { z } from 'zod';
import { Success } from '../../http/replies.js';
import type { Route } from '../../http/route.js';
import type { Services } from '../../services.js';
import {
  currentSetting,
  type Setting,
  type SettingName,
  settingDefinitions,
} from '../settings/settings.js';
import { get, put } from './route.js';

const SettingList = z.object({ settings: z.record(z.string(), z.unknown()) });

export function settingRoutes(services: Services): Route[] {
  return [
    get(
      '/settings',
      { summary: 'Current settings', permission: 'settings:read', reply: SettingList },
      async ({ services }) => ({ body: { settings: await allSettings(services) } }),
    ),

    put(
      '/settings',
      {
        summary: 'Change settings; null restores the default of the environment',
        permission: 'settings:write',
        body: changesOf(services),
        reply: Success.extend(SettingList.shape),
      },
      async (call) => {
        const { body, services } = call;
        for (const name of namesOf(services)) {
          const value = body[name];
          if (value !== undefined) await changeSetting(call, name, value);
        }
        return { body: { success: true, settings: await allSettings(services) } };
      },
    ),
  ];
}

/** Changes a setting, with its old and new value in the audit log. */
export async function changeSetting<Name extends SettingName>(
  { details, services }: { details: Record<string, unknown>; services: Services },
  name: Name,
  value: Setting<Name> | null,
): Promise<void> {
  const old = await currentSetting(services, name);
  await services.settings.set(name, value);
  details[name] = { old, new: await currentSetting(services, name) };
}

/** Absent: unchanged. Null: the environment decides again. */
type Changes = { [Name in SettingName]?: Setting<Name> | null };

function changesOf(services: Services): z.ZodType<Changes> {
  const fields = Object.entries(settingDefinitions(services)).map(([name, { schema }]) => [
    name,
    schema.nullable().optional(),
  ]);
  // Safe: each field has the schema of its setting.
  return z.object(Object.fromEntries(fields)) as z.ZodType<Changes>;
}

function namesOf(services: Services): SettingName[] {
  return Object.keys(settingDefinitions(services)) as SettingName[];
}

async function allSettings(services: Services): Promise<Record<string, unknown>> {
  const entries = namesOf(services).map(async (name) => [
    name,
    await currentSetting(services, name),
  ]);
  return Object.fromEntries(await Promise.all(entries));
}
