import type { Cause } from '../../events/bus.js';
import { refuse } from '../../http/errors.js';
import type { AnyCall, Call, Route, RouteOptions } from '../../http/route.js';
import * as http from '../../http/route.js';
import { httpUrl } from '../../process/addresses.js';
import type { Services } from '../../services.js';
import type { Caller } from '../../session/authenticate.js';
import { access } from './access.js';
import { requireAll } from './privilege.js';
import type { AuditEntry } from './store.js';

export interface AdminOptions<Body, Query, Asked = Call<Body, Caller, Query>>
  extends RouteOptions<Body, Caller, Query, Asked> {
  /** `<resource>:<action>`. Every route of this API requires one. */
  permission: string;
}

interface ActOptions<Body, Query> extends AdminOptions<Body, Query, ActCall<Body, Query>> {
  /**
   * True for a handler that calls `commit` itself instead of running in a transaction: one that waits for something (a
   * hash, another server, a script), which would block others, or whose path does not name the target.
   */
  waits?: boolean;
}

/** A call that changes something. */
export interface ActCall<Body, Query> extends Call<Body, Caller, Query> {
  /** Runs `work` in one transaction with the entry in the audit log. Pass `targetOf` if the path does not name the target. */
  commit<T>(work: (tx: Services) => Promise<T>, targetOf?: (result: T) => string): Promise<T>;
  /** The cause of the events that it publishes. */
  cause: Cause;
  /** Details of the entry besides the body; the handler adds them. */
  details: Record<string, unknown>;
}

/** Declares a route that only reads. */
export function get<Body = undefined, Query = URLSearchParams>(
  path: string,
  options: AdminOptions<Body, Query>,
): Route {
  return http.get(path, { ...options, ...access, access: 'signed-in' });
}

/** Declares a strong route that changes something, in one transaction with its entry in the audit log. */
function act(define: http.Define) {
  return <Body = undefined, Query = URLSearchParams>(
    path: string,
    { waits, handle, ...options }: ActOptions<Body, Query>,
  ): Route =>
    define(path, {
      ...options,
      ...access,
      access: 'strong',
      handle: async (call) => {
        let isLogged = false;
        const { id, ...named } = call.params;
        const details: Record<string, unknown> = id === undefined ? {} : named;
        async function commit<T>(
          work: (tx: Services) => Promise<T>,
          targetOf = (_result: T) => id ?? Object.values(named).join('/'),
        ): Promise<T> {
          isLogged = true;
          return call.services.transaction(async (tx) => {
            await requireSameRights(tx, call.caller);
            const result = await work(tx);
            await tx.auditLog.append(auditEntryOf(path, targetOf(result) || null, call, details));
            return result;
          });
        }
        const cause = { actor: call.caller.user.id, request: call.request };
        const reply = waits
          ? await handle({ ...call, commit, cause, details })
          : await commit((services) => handle({ ...call, services, commit, cause, details }));
        if (!isLogged) throw new Error(`${path} wrote no entry to the audit log`);
        return reply;
      },
    });
}

/** Throws if an administrator has been shut out, or lost a permission, while the handler waited. */
export async function requireSameRights({ sessions }: Services, caller: Caller): Promise<void> {
  const account = await sessions.findAccount(caller.sessionId);
  if (!account || account.user.disabledAt !== null) throw refuse('SESSION_REVOKED');
  requireAll(account, caller.roles.permissions);
}

export const post = act(http.post);
export const put = act(http.put);
export const patch = act(http.patch);
export const del = act(http.del);

/** Fields that are logged with their values; others by name only, since they may be secrets or scripts. */
const LOGGED = /^(act|role|name|permissions|required|isActive|url|provider)$/;

/** The audit log entry of a request: its route, its target and its caller. */
export function auditEntryOf(
  path: string,
  target: string | null,
  call: AnyCall & { caller: Caller },
  details: Record<string, unknown> = {},
): AuditEntry {
  const { ip, userAgent, correlationId, method } = call.request;
  const body = Object.entries(call.body ?? {});
  // The path of a webhook is often its secret.
  const shown = ([name, value]: [string, unknown]) =>
    name === 'url' ? [name, httpUrl(String(value))?.origin] : [name, value];
  const fields = body
    .map(([name]) => name)
    .filter((name) => !LOGGED.test(name) && !(name in details));
  return {
    action: `${method} ${path}`,
    actor: call.caller.user.id,
    target,
    details: {
      ...Object.fromEntries(body.filter(([name]) => LOGGED.test(name)).map(shown)),
      ...(fields.length > 0 ? { fields } : {}),
      ...details,
    },
    ip,
    userAgent,
    correlationId,
  };
}
