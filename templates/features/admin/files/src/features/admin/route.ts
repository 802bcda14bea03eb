import { z } from 'zod';
import type { EventCause } from '../../events/bus.js';
import { Success } from '../../http/replies.js';
import type { AnyCall, Call, Result, Route, RouteOptions } from '../../http/route.js';
import * as http from '../../http/route.js';
import type { Services } from '../../services.js';
import type { Caller } from '../../session/authenticate.js';
import type { AuditEntry } from './store.js';

interface AdminOptions<Body, Query> extends RouteOptions<Body, Caller, Query> {
  /** `<resource>:<action>`. Every route of this API requires one. */
  permission: string;
}

interface ActOptions<Body, Query> extends AdminOptions<Body, Query> {
  /**
   * True for a handler that waits for something: a hash, another server, a script. It does not run in a
   * transaction, which would block others, but calls `commit` itself.
   */
  waits?: boolean;
}

/** A call that changes something. */
interface ActCall<Body, Query> extends Call<Body, Caller, Query> {
  /** Runs `work` in one transaction with the entry in the audit log. */
  commit<T>(work: (tx: Services) => Promise<T>): Promise<T>;
  /** The cause of the events that it publishes. */
  cause: Omit<EventCause, 'userId'>;
  /** What the entry says beside the body; for the handler to add to. */
  details: Record<string, unknown>;
}

/** Declares a route that only reads. */
export function get<Body = undefined, Query = URLSearchParams>(
  path: string,
  options: AdminOptions<Body, Query>,
  handle: (call: Call<Body, Caller, Query>) => Promise<Result>,
): Route {
  return http.get(path, { ...options, access: 'signed-in' }, handle);
}

/**
 * Declares a route that changes something, in one transaction with its entry in the audit log. It
 * answers `success: true` unless it says otherwise.
 */
function act(define: http.Define) {
  return <Body = undefined, Query = URLSearchParams>(
    path: string,
    { waits, ...options }: ActOptions<Body, Query>,
    handle: (call: ActCall<Body, Query>) => Promise<Result | undefined>,
  ): Route =>
    define(path, { reply: Success, ...options, access: 'signed-in' }, async (call) => {
      let isLogged = false;
      const details = {};
      async function commit<T>(work: (tx: Services) => Promise<T>): Promise<T> {
        const result = await call.services.transaction(async (tx) => {
          const worked = await work(tx);
          await tx.auditLog.append(auditEntryOf(path, call, details));
          return worked;
        });
        isLogged = true;
        return result;
      }
      const cause = { actor: call.caller.user.id, request: call.request };
      const reply = waits
        ? await handle({ ...call, commit, cause, details })
        : await commit((services) => handle({ ...call, services, commit, cause, details }));
      if (!isLogged) throw new Error(`${path} wrote no entry to the audit log`);
      return reply ?? { body: { success: true } };
    });
}

export const post = act(http.post);
export const put = act(http.put);
export const patch = act(http.patch);
export const del = act(http.del);

/** Fields whose values are logged. Of others only the name is, because they may be secrets or scripts. */
const LOGGED = new Set(['role', 'name', 'permissions', 'required', 'isActive', 'url', 'provider']);

/** The entry of a request in the audit log: its route, its target and who called. */
function auditEntryOf(
  path: string,
  call: AnyCall & { caller: Caller },
  details: Record<string, unknown>,
): AuditEntry {
  const { request, params, caller } = call;
  const body = Object.entries(call.body ?? {});
  const fields = body
    .map(([name]) => name)
    .filter((name) => !LOGGED.has(name) && !(name in details));
  return {
    action: `${request.method} ${path}`,
    actor: caller.user.id,
    target: Object.values(params).join('/') || null,
    details: {
      ...Object.fromEntries(body.filter(([name]) => LOGGED.has(name))),
      ...(fields.length > 0 ? { fields } : {}),
      ...details,
    },
    ip: request.ip ?? null,
    userAgent: request.userAgent,
    correlationId: request.correlationId,
  };
}

const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 100;

/** The query of a list: `limit` (20, at most 100), `offset`, `filter`. */
export const ListPage = z.object({
  limit: z.coerce.number().int().min(1).max(MAX_LIMIT).default(DEFAULT_LIMIT),
  offset: z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER).default(0),
  filter: z.string().trim().max(254).optional(),
});

export type ListPage = z.output<typeof ListPage>;

/**
 * A page of a short list that is already in memory; `total` is the number of all matches. `filter` is part
 * of one of the item's texts, ignoring case.
 */
export function pageOf<Item>(
  items: Item[],
  { limit, offset, filter = '' }: ListPage,
  textsOf: (item: Item) => (string | null)[],
): { items: Item[]; total: number } {
  const wanted = filter.toLowerCase();
  const matching = items.filter(
    (item) => !wanted || textsOf(item).some((text) => text?.toLowerCase().includes(wanted)),
  );
  return { items: matching.slice(offset, offset + limit), total: matching.length };
}
