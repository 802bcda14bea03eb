import type { ZodType } from 'zod';
import { HttpError, refuse } from './errors.js';
import { isTooDeep } from './json-depth.js';
import type { RawRequest } from './request.js';
import type { Route } from './route.js';

const UTF8 = new TextDecoder('utf-8', { fatal: true });
const JSON_TYPE = /^application\/json\s*(;|$)/i;

/** A body as it came, and what it says. */
export interface ReadBody {
  bytes: Buffer;
  json: unknown;
  /** What the answer has to say of how the body was read. */
  headers?: Record<string, string> | undefined;
}

const NO_BYTES = Buffer.alloc(0);

/**
 * The body of a request as JSON. An empty one, with or without a content type, counts as `{}`.
 * Only application/json is read: an HTML form of another site cannot send that type (Fetch
 * standard, CORS-safelisted request headers).
 * Throws BODY_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE, INVALID_JSON.
 */
export async function readJson(route: Route, raw: RawRequest, limit: number): Promise<ReadBody> {
  if (raw.method === 'GET' || raw.method === 'HEAD') return { bytes: NO_BYTES, json: {} };
  let bytes: Buffer | undefined;
  try {
    bytes = await raw.readBody(limit);
    return { bytes, json: parse(bytes, raw) };
  } catch (error) {
    // What breaks off is no request, and must not be acted on: its client may send it again, or never wanted it.
    if (!route.neverRefuses || (bytes === undefined && !isTooLarge(error))) throw error;
    const headers = error instanceof HttpError ? error.extra.headers : undefined;
    return { bytes: NO_BYTES, json: {}, headers };
  }
}

function isTooLarge(error: unknown): boolean {
  return error instanceof HttpError && error.code === 'BODY_TOO_LARGE';
}

function parse(bytes: Buffer, raw: RawRequest): unknown {
  if (bytes.length === 0) return {};
  if (!JSON_TYPE.test(raw.header('content-type') ?? '')) throw refuse('UNSUPPORTED_MEDIA_TYPE');
  const encoding = raw.header('content-encoding') ?? 'identity';
  if (encoding.toLowerCase() !== 'identity') throw refuse('UNSUPPORTED_MEDIA_TYPE');
  const json = decode(bytes);
  if (isTooDeep(json)) throw refuse('INVALID_JSON', { message: 'The body is nested too deeply.' });
  return json;
}

function decode(bytes: Buffer): unknown {
  try {
    return JSON.parse(UTF8.decode(bytes));
  } catch {
    throw refuse('INVALID_JSON');
  }
}

/**
 * Checks a parsed body against the route's schema; unknown fields are dropped, anything but an object
 * is refused. Throws VALIDATION_FAILED.
 */
export function validate(route: Route, body: unknown): unknown {
  if (route.anyJson) return body;
  if (!route.body) return isObject(body) || route.neverRefuses ? {} : refuseBody([NOT_AN_OBJECT]);
  const result = route.body.safeParse(body);
  if (result.success && !holdsNul(result.data)) return result.data;
  if (route.neverRefuses) return {};
  return refuseBody(result.error?.issues ?? [HAS_NUL]);
}

/**
 * Checks a query string against the route's schema; without one it is handed on as it is. A field
 * given twice is refused: which of the two counts, readers do not agree on. Throws VALIDATION_FAILED.
 */
export function validateQuery(route: Route, query: URLSearchParams): unknown {
  if (!route.query) return query;
  const twice = [...query.keys()].find((name, at, names) => names.indexOf(name) !== at);
  if (twice !== undefined) refuseBody([{ path: [twice], message: 'Give this once.' }]);
  const result = route.query.safeParse(Object.fromEntries(query));
  if (result.success && !holdsNul(result.data)) return result.data;
  return refuseBody(result.error?.issues ?? [HAS_NUL]);
}

/** What a handler reads out of a part of the body that only it knows the schema of. Throws VALIDATION_FAILED. */
export function parseFields<Fields>(schema: ZodType<Fields>, json: unknown): Fields {
  const result = schema.safeParse(json);
  return result.success ? result.data : refuseBody(result.error.issues);
}

interface Issue {
  path: PropertyKey[];
  message: string;
  /** What each schema of a union has against it. */
  errors?: Issue[][];
}

const NOT_AN_OBJECT: Issue = { path: [], message: 'The body must be an object.' };
const HAS_NUL: Issue = { path: [], message: 'A NUL character is not possible.' };

function refuseBody(issues: Issue[]): never {
  throw refuse('VALIDATION_FAILED', {
    details: issues
      .flatMap(nearest)
      .map(({ path, message }) => ({ path: path.join('.'), message })),
  });
}

/** Where a body fits none of several schemas: what the one has against it that it fits best. */
function nearest(issue: Issue): Issue[] {
  const [best] = [...(issue.errors ?? [])].sort((a, b) => a.length - b.length);
  if (!best) return [issue];
  return best.map((each) => ({ ...each, path: [...issue.path, ...each.path] })).flatMap(nearest);
}

function isObject(body: unknown): boolean {
  return typeof body === 'object' && body !== null && !Array.isArray(body);
}

/**
 * True for a NUL in any text: databases cut a text there or refuse it, so that what was checked
 * would not be what is stored.
 */
function holdsNul(body: unknown): boolean {
  const pending = [body];
  while (pending.length > 0) {
    const value = pending.pop();
    if (typeof value === 'string' && value.includes('\0')) return true;
    if (typeof value !== 'object' || value === null) continue;
    for (const [name, field] of Object.entries(value)) pending.push(name, field);
  }
  return false;
}
