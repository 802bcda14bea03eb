import type { ZodType } from 'zod';

const needed = new WeakSet<ZodType>();

/**
 * A variable that may be missing in development but not in production. A feature that sends mail
 * says so of SMTP_URL in its own `config.ts`.
 */
export function neededInProduction<Schema extends ZodType>(schema: Schema): Schema {
  // A copy: the mark belongs to the feature's variable, not to the one that it was made from.
  const marked = schema.clone();
  needed.add(marked);
  return marked;
}

/** True for what `neededInProduction` returned. */
export function isNeededInProduction(schema: ZodType): boolean {
  return needed.has(schema);
}
