/** Schemas of what other programs, and other versions of this one, have written. */
export {
  _default,
  array,
  boolean,
  type infer,
  literal,
  minLength,
  number,
  object,
  optional,
  record,
  refine,
  regex,
  strictObject,
  string,
  type ZodMiniType,
} from 'zod/mini';
