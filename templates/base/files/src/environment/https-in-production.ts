import type { ZodType } from 'zod';

const marked = new WeakSet<ZodType>();

/** A URL variable that may be plain http in development but not in production. */
export function httpsInProduction<Schema extends ZodType>(schema: Schema): Schema {
  const copy = schema.clone();
  marked.add(copy);
  return copy;
}

/** True for what `httpsInProduction` returned. */
export function isHttpsInProduction(schema: ZodType): boolean {
  return marked.has(schema);
}
