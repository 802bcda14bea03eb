import { refuse } from './errors.js';
import type { RawRequest } from './request.js';
import type { Route } from './route.js';

const UTF8 = new TextDecoder('utf-8', { fatal: true });
const JSON_TYPE = /^application\/json\s*(;|$)/i;

/**
 * The body of a request as JSON. An empty one, with or without a content type, counts as `{}`.
 * Only application/json is read: an HTML form of another site cannot send that type (Fetch
 * standard, CORS-safelisted request headers).
 * Throws BODY_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE, INVALID_JSON.
 */
export async function readJson(route: Route, raw: RawRequest, limit: number): Promise<unknown> {
  if (raw.method === 'GET' || raw.method === 'HEAD') return {};
  try {
    return parse(await raw.readBody(limit), raw);
  } catch (error) {
    if (route.neverRefuses) return {};
    throw error;
  }
}

function parse(bytes: Buffer, raw: RawRequest): unknown {
  if (bytes.length === 0) return {};
  if (!JSON_TYPE.test(raw.header('content-type') ?? '')) throw refuse('UNSUPPORTED_MEDIA_TYPE');
  const encoding = raw.header('content-encoding') ?? 'identity';
  if (encoding.toLowerCase() !== 'identity') throw refuse('UNSUPPORTED_MEDIA_TYPE');
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
  if (!route.body) return isObject(body) || route.neverRefuses ? {} : refuseBody([NOT_AN_OBJECT]);
  const result = route.body.safeParse(body);
  if (result.success && !holdsNul(result.data)) return result.data;
  if (route.neverRefuses) return {};
  return refuseBody(result.error?.issues ?? [HAS_NUL]);
}

interface Issue {
  path: PropertyKey[];
  message: string;
}

const NOT_AN_OBJECT: Issue = { path: [], message: 'The body must be an object.' };
const HAS_NUL: Issue = { path: [], message: 'A NUL character is not possible.' };

function refuseBody(issues: Issue[]): never {
  throw refuse('VALIDATION_FAILED', {
    details: issues.map(({ path, message }) => ({ path: path.join('.'), message })),
  });
}

function isObject(body: unknown): boolean {
  return typeof body === 'object' && body !== null && !Array.isArray(body);
}

/**
 * True for a NUL in any text: databases cut a text there or refuse it, so that what was checked
 * would not be what is stored. Walks without recursion: a body may nest as deep as its size allows.
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
