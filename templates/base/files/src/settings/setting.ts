import type { ZodType } from 'zod';
import type { Config } from '../config.js';

/** Something that administrators may set while the service runs. */
export interface SettingDefinition<Value = unknown> {
  schema: ZodType<Value>;
  /** What holds as long as nothing is stored. */
  fallback(config: Config): Value;
}

/** Defines a setting; the fallback has the schema's type. */
export function setting<Value>(
  schema: ZodType<Value>,
  fallback: (config: Config) => Value,
): SettingDefinition<Value> {
  return { schema, fallback };
}
