/** A value that every driver stores as it is. */
export type Storable = null | string | number | bigint | boolean | Uint8Array;

/**
 * The parameters of a query. Throws where some driver would not store a value as it is: undefined and
 * NaN become null, and a text is cut at its first NUL, so that one address could pass for another.
 * Columns hold no booleans, but the questions that Kysely asks about tables do.
 */
export function requireStorable(parameters: readonly unknown[]): Storable[] {
  return parameters.map(storable);
}

function storable(value: unknown): Storable {
  switch (typeof value) {
    case 'string':
      if (!value.includes('\0')) return value;
      break;
    case 'number':
      if (Number.isFinite(value)) return value;
      break;
    case 'bigint':
    case 'boolean':
      return value;
    case 'object':
      if (value === null || value instanceof Uint8Array) return value;
  }
  throw new TypeError(`The database cannot store this ${typeof value}.`);
}
