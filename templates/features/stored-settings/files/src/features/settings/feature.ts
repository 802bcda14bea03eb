import type { Db } from '../../db/schema.js';
import { defineFeature } from '../../feature.js';
import { settingStore } from './settings.js';

export const settings = defineFeature({
  stores: (db: Db) => ({ settings: settingStore(db) }),
});
