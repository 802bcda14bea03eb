import type { IncomingMessage } from 'node:http';
import * as z from 'zod';
import type { ErrorCode } from '../feature.js';
import { HttpError, refuse } from './errors.js';
import type { ServiceRequest } from './request.js';
import type { Route } from './route.js';

const NO_BYTES = Buffer.alloc(0);

/**
 * The raw bytes of a body, which signatures cover. Throws BODY_TOO_LARGE past `limit`, and
 * INVALID_JSON if the client disconnects: a truncated body is never returned.
 */
export async function readBytes(request: IncomingMessage, limit: number): Promise<Buffer> {
  const { 'content-length': length, 'transfer-encoding': coding } = request.headers;
  // A request has a body only if one of these headers says so (RFC 9112 §6.3).
  if (length === undefined && coding === undefined) return NO_BYTES;
  const chunks: Buffer[] = [];
  await new Promise<void>((resolve, reject) => {
    const stop = (code: ErrorCode) => {
      request.pause();
      // The rest of the body is not read: the connection cannot be used again.
      reject(refuse(code, { headers: { connection: 'close' } }));
    };
    let size = 0;
    if (Number(length) > limit) return stop('BODY_TOO_LARGE');
    if (!request.readable) return stop('INVALID_JSON');
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > limit) return stop('BODY_TOO_LARGE');
      chunks.push(chunk);
    });
    request.on('end', resolve);
    request.on('error', () => stop('INVALID_JSON'));
    request.on('close', () => request.readableEnded || stop('INVALID_JSON'));
  });
  return Buffer.concat(chunks);
}

/**
 * The body of a request, parsed as JSON or as the route's form. An empty one, with or without a
 * content type, counts as `{}`. Throws BODY_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE, INVALID_JSON.
 */
export async function readJson(
  route: Route,
  request: ServiceRequest,
  limit: number,
): Promise<{ bytes: Buffer; json: unknown }> {
  const nothing = { bytes: NO_BYTES, json: {} };
  if (request.method === 'GET' || request.method === 'HEAD') return nothing;
  let bytes: Buffer | undefined;
  try {
    bytes = await request.readBody(limit);
    return { bytes, json: parseBody(route, bytes, request) };
  } catch (error) {
    if (!route.neverRefuses || !(error instanceof HttpError)) throw error;
    // Never act on a truncated body: the client may send it again, or has cancelled it.
    if (!bytes && error.code !== 'BODY_TOO_LARGE') throw error;
    return nothing;
  }
}

const UTF8 = new TextDecoder('utf-8', { fatal: true });
/** An HTML form of another site cannot send these types (Fetch standard, CORS-safelisted headers). */
const JSON_TYPE = /^application\/json\s*(;|$)/i;
/** JSON, or a type with the suffix `+json` (RFC 6839 §3.1) such as `application/cloudevents+json`. */
const ANY_JSON_TYPE = /^(application\/json|[\w.!#$&^+-]+\/[\w.!#$&^+-]+\+json)\s*(;|$)/i;
const FORM_TYPE = /^application\/x-www-form-urlencoded\s*(;|$)/i;

function parseBody(route: Route, bytes: Buffer, request: ServiceRequest): unknown {
  if (bytes.length === 0) return {};
  const jsonType = route.anyJson ? ANY_JSON_TYPE : JSON_TYPE;
  const type = route.form ? FORM_TYPE : jsonType;
  if (!type.test(request.header('content-type') ?? '')) throw refuse('UNSUPPORTED_MEDIA_TYPE');
  // A small compressed body could expand to any size.
  const encoding = request.header('content-encoding') ?? 'identity';
  if (encoding.toLowerCase() !== 'identity') throw refuse('UNSUPPORTED_MEDIA_TYPE');
  if (route.form) {
    const fields = new URLSearchParams(bytes.toString());
    // Ten thousand fields would take 0.1 s, before the limits of the route count.
    if (fields.size > 1000) throw refuse('BODY_TOO_LARGE');
    return Object.fromEntries(fields);
  }
  let json: unknown;
  try {
    json = JSON.parse(UTF8.decode(bytes));
  } catch {
    throw refuse('INVALID_JSON');
  }
  if (isTooDeep(json)) throw refuse('INVALID_JSON', { message: 'The body is nested too deeply.' });
  return json;
}

/** RFC 8259 §9 lets a parser limit the depth. No client nests half as deep. */
const DEEPEST = 100;

/** True for JSON nested too deeply: recursion over it (a schema, JSON.stringify) would overflow the stack. */
export function isTooDeep(json: unknown, levels = DEEPEST): boolean {
  if (typeof json !== 'object' || json === null) return false;
  return levels === 0 || Object.values(json).some((value) => isTooDeep(value, levels - 1));
}

const AnyObject = z.object({});

/**
 * Checks a parsed body against the route's schema; unknown fields are dropped, and anything but an
 * object is refused. Throws VALIDATION_FAILED.
 */
export function validate(route: Route, json: unknown): unknown {
  if (route.anyJson || route.method === 'GET') return json;
  return parseFields(route.body ?? AnyObject, json);
}

/** The query string parsed by the route's schema; without one, as URLSearchParams. Throws VALIDATION_FAILED. */
export function readQuery(route: Route, search: string): unknown {
  const query = new URLSearchParams(search);
  return route.query ? parseFields(route.query, Object.fromEntries(query)) : query;
}

/** Parses JSON by a schema; for handlers, a part of the body whose schema only they know. Throws VALIDATION_FAILED. */
export function parseFields<Fields>(schema: z.ZodType<Fields>, json: unknown): Fields {
  const { data, error } = schema.safeParse(json, { error: inPlainWords });
  const details = error?.issues.flatMap((issue) => detailsOf(issue)) ?? [];
  if (!isStorable(data)) details.push({ path: '', message: 'Contains NUL or a lone surrogate.' });
  if (details.length > 0) throw refuse('VALIDATION_FAILED', { details });
  return data as Fields;
}

const UNITS: Partial<Record<string, string>> = { string: ' characters', array: ' entries' };

/** What is wrong with a value, in plain words, where its schema does not say so itself. */
export const inPlainWords: z.core.$ZodErrorMap = (issue) => {
  if (issue.input === undefined) return 'This is missing.';
  if (issue.code === 'invalid_type') {
    return `This must be of type ${issue.expected.replace('record', 'object')}.`;
  }
  if (issue.code === 'invalid_value') {
    return `Allowed here: ${issue.values.map((value) => `"${String(value)}"`).join(', ')}.`;
  }
  if (issue.code === 'too_big') return `Use at most ${issue.maximum}${UNITS[issue.origin] ?? ''}.`;
  if (issue.code !== 'too_small') return 'This is not in the expected format.';
  const unit = UNITS[issue.origin];
  if (unit && issue.minimum === 1) return 'This must not be empty.';
  return `Use at least ${issue.minimum}${unit ?? ''}.`;
};

/** The issues of a schema by field; for a union, those of its closest member. */
function detailsOf(
  issue: z.core.$ZodIssue,
  above: PropertyKey[] = [],
): { path: string; message: string }[] {
  const path = [...above, ...issue.path];
  if (issue.code === 'unrecognized_keys') {
    const message = 'There is no such field.';
    return issue.keys.map((key) => ({ path: [...path, key].join('.'), message }));
  }
  if (issue.code === 'invalid_union' && issue.errors.length > 0) {
    const all = issue.errors.map((each) => each.flatMap((one) => detailsOf(one, path)));
    return all.reduce((closest, each) => (each.length < closest.length ? each : closest));
  }
  return [{ path: path.join('.'), message: issue.message }];
}

/**
 * Databases cut text at a NUL or refuse it, and UTF-8 cannot encode lone surrogates: the stored
 * value would differ from the checked one.
 */
function isStorable(value: unknown): boolean {
  if (typeof value === 'string') return !value.includes('\0') && value.isWellFormed();
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every((entry) => entry.every(isStorable));
}
