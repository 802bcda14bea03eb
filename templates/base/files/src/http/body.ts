import type { IncomingMessage } from 'node:http';
import rawBody from 'raw-body';
import type { ZodType } from 'zod';
import { HttpError, refuse } from './errors.js';
import type { ServiceRequest } from './request.js';
import type { Route } from './route.js';

const NO_BYTES = Buffer.alloc(0);

/** A request has a body only if one of these headers says so (RFC 9112 §6.3). */
export function hasBody({ headers }: IncomingMessage): boolean {
  const { 'content-length': length, 'transfer-encoding': coding } = headers;
  return coding !== undefined || (length !== undefined && length !== '0');
}

/** A stream can be read once; its bytes are asked for again where a parser in front would have read them first. */
const readBodies = new WeakMap<IncomingMessage, Promise<Buffer>>();

/**
 * The bytes of a body, which signatures are over. Throws BODY_TOO_LARGE past `limit`. Never gives a truncated body: throws
 * INVALID_JSON if the client broke off. `leftBy` is what a parser in front has left of a body that it has read.
 */
export function readBytes(
  request: IncomingMessage,
  limit: number,
  leftBy?: LeftByParser,
): Promise<Buffer> {
  const read = readBodies.get(request) ?? readOnce(request, limit, leftBy);
  readBodies.set(request, read);
  return read;
}

/** Undefined if no parser in front has read the body. */
export type LeftByParser = () => Promise<Buffer | undefined> | Buffer | undefined;

async function readOnce(
  request: IncomingMessage,
  limit: number,
  leftBy: LeftByParser | undefined,
): Promise<Buffer> {
  const left = await leftBy?.();
  if (left && left.length > limit) throw refuse('BODY_TOO_LARGE');
  return left ?? readStream(request, limit);
}

async function readStream(request: IncomingMessage, limit: number): Promise<Buffer> {
  if (!hasBody(request)) return NO_BYTES;
  try {
    return await rawBody(request, { limit, length: request.headers['content-length'] ?? null });
  } catch (error) {
    const isTooLarge =
      error instanceof Error && 'type' in error && error.type === 'entity.too.large';
    throw refuse(isTooLarge ? 'BODY_TOO_LARGE' : 'INVALID_JSON', {
      // The rest of the body is not read: the connection cannot be used again.
      headers: { connection: 'close' },
    });
  }
}

/** A body as it came, and what it says. */
export interface ReadBody {
  bytes: Buffer;
  json: unknown;
  /** What the response has to say of how the body was read. */
  headers?: Record<string, string> | undefined;
}

/**
 * The body of a request as JSON, or as a route's form. An empty one, with or without a content type, counts as `{}`.
 * Throws BODY_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE, INVALID_JSON.
 */
export async function readJson(
  route: Route,
  request: ServiceRequest,
  limit: number,
): Promise<ReadBody> {
  if (request.method === 'GET' || request.method === 'HEAD') return { bytes: NO_BYTES, json: {} };
  let bytes: Buffer | undefined;
  try {
    bytes = await request.readBody(limit);
    return { bytes, json: parseBody(route, bytes, request) };
  } catch (error) {
    if (!route.neverRefuses || !(error instanceof HttpError)) throw error;
    // Never act on a truncated body: the client may send it again, or has cancelled it.
    if (bytes === undefined && error.code !== 'BODY_TOO_LARGE') throw error;
    return { bytes: NO_BYTES, json: {}, headers: error.extra.headers };
  }
}

const UTF8 = new TextDecoder('utf-8', { fatal: true });
/** An HTML form of another site cannot send these types (Fetch standard, CORS-safelisted headers). */
const JSON_TYPE = /^application\/json\s*(;|$)/i;
/** Types of JSON by its structured suffix (RFC 6839 §3.1), `application/cloudevents+json` for instance. */
const ANY_JSON_TYPE = /^application\/json\s*(;|$)|^[\w.-]+\/[\w.-]+\+json\s*(;|$)/i;
const FORM_TYPE = /^application\/x-www-form-urlencoded\s*(;|$)/i;

function parseBody(route: Route, bytes: Buffer, request: ServiceRequest): unknown {
  if (bytes.length === 0) return {};
  const jsonType = route.anyJson ? ANY_JSON_TYPE : JSON_TYPE;
  const type = route.form ? FORM_TYPE : jsonType;
  if (!type.test(request.header('content-type') ?? '')) throw refuse('UNSUPPORTED_MEDIA_TYPE');
  // A small compressed body could unfold to any size.
  const encoding = request.header('content-encoding') ?? 'identity';
  if (encoding.toLowerCase() !== 'identity') throw refuse('UNSUPPORTED_MEDIA_TYPE');
  if (route.form) return Object.fromEntries(new URLSearchParams(bytes.toString()));
  let json: unknown;
  try {
    json = JSON.parse(UTF8.decode(bytes));
  } catch {
    throw refuse('INVALID_JSON');
  }
  if (isTooDeep(json)) throw refuse('INVALID_JSON', { message: 'The body is nested too deeply.' });
  return json;
}

/** RFC 8259 §9 lets a reader set a limit. No client nests half as deep. */
const DEEPEST = 100;

/** True for JSON that nests deeper than 100 levels: recursion over it (a schema, JSON.stringify) would overflow the stack. */
export function isTooDeep(json: unknown): boolean {
  let level = [json];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > DEEPEST) return true;
    level = level.flatMap((value) =>
      typeof value === 'object' && value !== null ? Object.values(value) : [],
    );
  }
  return false;
}

/**
 * Checks a parsed body against the route's schema; unknown fields are dropped, anything but an object
 * is refused. Throws VALIDATION_FAILED.
 */
export function validate(route: Route, body: unknown): unknown {
  if (route.anyJson) return body;
  if (!route.body) return isObject(body) || route.neverRefuses ? {} : refuseFields([NOT_AN_OBJECT]);
  const result = check(route.body, body);
  if (result.data !== undefined) return result.data;
  return route.neverRefuses ? {} : refuseFields(result.issues);
}

/**
 * A query string by the route's schema; without one as URLSearchParams. A field given twice is refused:
 * readers disagree on which of the two counts. Throws VALIDATION_FAILED.
 */
export function readQuery(route: Route, search: string): unknown {
  const query = new URLSearchParams(search);
  if (!route.query) return query;
  const twice = [...query.keys()].find((name, at, names) => names.indexOf(name) !== at);
  if (twice !== undefined) refuseFields([{ path: [twice], message: 'Give this once.' }]);
  return parseFields(route.query, Object.fromEntries(query));
}

/** What a handler reads out of a part of the body that only it knows the schema of. Throws VALIDATION_FAILED. */
export function parseFields<Fields>(schema: ZodType<Fields>, json: unknown): Fields {
  const { data, issues } = check(schema, json);
  return data ?? refuseFields(issues);
}

/** zod compares the `length` of any object: `{"length": {"toString": 0}}` has no primitive value, and makes it throw. */
function check<Value>(schema: ZodType<Value>, json: unknown): { data?: Value; issues: Issue[] } {
  try {
    const { data, error } = schema.safeParse(json);
    if (error) return { issues: error.issues };
    return isStorable(data) ? { data, issues: [] } : { issues: [NOT_STORABLE] };
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return { issues: [WRONG_TYPE] };
  }
}

interface Issue {
  path: PropertyKey[];
  message: string;
  /** What each member of a union has against it. */
  errors?: Issue[][];
  /** Fields that the schema does not know. */
  keys?: string[];
}

const NOT_AN_OBJECT: Issue = { path: [], message: 'The body must be an object.' };
const NOT_STORABLE: Issue = {
  path: [],
  message: 'NUL characters and lone surrogates are not allowed.',
};
const WRONG_TYPE: Issue = { path: [], message: 'The body has a field of the wrong type.' };

function refuseFields(issues: Issue[]): never {
  const details = issues.flatMap(closest).flatMap(nameUnknown);
  throw refuse('VALIDATION_FAILED', {
    details: details.map(({ path, message }) => ({ path: path.join('.'), message })),
  });
}

/** Reports the issues of the closest union member. */
function closest(issue: Issue): Issue[] {
  const [best] = [...(issue.errors ?? [])].sort((a, b) => a.length - b.length);
  if (!best) return [issue];
  return best.map((each) => ({ ...each, path: [...issue.path, ...each.path] })).flatMap(closest);
}

/** Reports each unknown field by its name. */
function nameUnknown(issue: Issue): Issue[] {
  if (!issue.keys) return [issue];
  return issue.keys.map((key) => ({
    path: [...issue.path, key],
    message: 'There is no such field.',
  }));
}

function isObject(body: unknown): boolean {
  return typeof body === 'object' && body !== null && !Array.isArray(body);
}

/**
 * Databases cut a text at a NUL or refuse it, and UTF-8 has no lone surrogates, so that what was
 * checked would not be what is stored.
 */
function isStorable(body: unknown): boolean {
  const pending = [body];
  while (pending.length > 0) {
    const value = pending.pop();
    if (typeof value === 'string' && (value.includes('\0') || !value.isWellFormed())) return false;
    if (typeof value !== 'object' || value === null) continue;
    for (const [name, field] of Object.entries(value)) pending.push(name, field);
  }
  return true;
}
