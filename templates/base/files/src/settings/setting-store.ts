import type { z } from 'zod';
import { insertUnlessTaken } from '../db/insert.js';
import type { Db } from '../db/schema.js';
import type { settings } from '../settings.js';

export type SettingName = keyof typeof settings;
export type Setting<Name extends SettingName> = z.output<(typeof settings)[Name]['schema']>;

/** The settings store of the specification. A stored setting wins over the environment. */
export interface SettingStore {
  /** What is stored; undefined if nothing is, and the environment decides. */
  get<Name extends SettingName>(name: Name): Promise<Setting<Name> | undefined>;
  /** Stores a setting; null returns to the environment. */
  set<Name extends SettingName>(name: Name, value: Setting<Name> | null): Promise<void>;
}

/** The setting store on the service's database; read at each decision, so that a change works at once. */
export function settingStore(db: Db): SettingStore {
  const stored = (name: string) => db.updateTable('settings').where('name', '=', name);

  return {
    async get(name) {
      const row = await db
        .selectFrom('settings')
        .select('value')
        .where('name', '=', name)
        .executeTakeFirst();
      return row && JSON.parse(row.value);
    },

    async set(name, value) {
      if (value === null) {
        await db.deleteFrom('settings').where('name', '=', name).execute();
        return;
      }
      const json = JSON.stringify(value);
      const set = () => stored(name).set({ value: json }).executeTakeFirst();
      if ((await set()).numUpdatedRows > 0n) return;
      const row = { name, value: json };
      if (!(await insertUnlessTaken(db.insertInto('settings').values(row)))) await set();
    },
  };
}
