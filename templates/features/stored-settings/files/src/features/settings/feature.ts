import type { ZodType } from 'zod';
import type { Config } from '../../config.js';
import { updateOrInsert } from '../../db/queries.js';
import type { Db } from '../../db/schema.js';
import { defineFeature, type Merged } from '../../feature.js';
import type { Services } from '../../services.js';
import type { Account } from '../../users/account.js';

declare module '../../db/schema.js' {
  interface Database {
    stored_settings: {
      name: string;
      /** JSON. */
      value: string;
    };
  }
}

declare module '../../feature.js' {
  interface FeatureParts {
    /** Settings that administrators may change while the service runs. */
    settings?: Readonly<Record<string, SettingDefinition>>;
  }
}

/** A setting that administrators may change while the service runs. */
export interface SettingDefinition<Value = unknown> {
  schema: ZodType<Value>;
  /** The value while nothing is stored. */
  fallback(config: Config): Value;
  /** Checks that the caller may make this change, beyond `settings:write`. Throws FORBIDDEN. */
  requireAllowed?(caller: Account, value: Value, old: Value): void;
}

/** Defines a setting; the fallback has the schema's type. */
export function setting<Value>(
  schema: ZodType<Value>,
  fallback: (config: Config) => Value,
  requireAllowed?: SettingDefinition<Value>['requireAllowed'],
): SettingDefinition<Value> {
  return { schema, fallback, requireAllowed };
}

type Settings = Merged<'settings'>;
export type SettingName = Extract<keyof Settings, string>;
export type Setting<Name extends SettingName> =
  Settings[Name] extends SettingDefinition<infer Value> ? Value : never;

/** Every setting of this service, by name. */
export function settingDefinitions({ features }: Services): Record<string, SettingDefinition> {
  return Object.assign({}, ...features.map(({ settings }) => settings));
}

/** Settings that administrators have changed; they take precedence over the environment. */
function settingStore(db: Db) {
  return {
    /** The stored value; undefined if there is none, so that the environment decides. */
    async get(name: string): Promise<unknown> {
      const stored = db.selectFrom('stored_settings').select('value').where('name', '=', name);
      const row = await stored.executeTakeFirst();
      return row && JSON.parse(row.value);
    },

    /** Stores a setting; null returns to the environment. */
    async set(name: string, value: unknown): Promise<void> {
      if (value === null) {
        await db.deleteFrom('stored_settings').where('name', '=', name).execute();
        return;
      }
      const row = { name, value: JSON.stringify(value) };
      const update = db.updateTable('stored_settings').set(row).where('name', '=', name);
      await updateOrInsert(update, db.insertInto('stored_settings').values(row));
    },
  };
}

/** The current value: the stored setting, else its fallback. Read at each decision, so that a change works at once. */
export async function currentSetting<Name extends SettingName>(
  services: Services,
  name: Name,
): Promise<Setting<Name>> {
  const stored = await services.settings.get(name);
  const value = stored ?? settingDefinitions(services)[name]?.fallback(services.config);
  // Safe: a fallback has the type of its schema, as `setting` demands, and only such values are stored.
  return value as Setting<Name>;
}

export const settings = defineFeature({
  stores: (db: Db) => ({ settings: settingStore(db) }),
});
